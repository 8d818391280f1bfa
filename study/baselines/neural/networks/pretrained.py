"""Networks of pre-trained weights, read by transformers from files of a folder: without code, without the net."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors.torch import load_file
from torch import nn

from study.baselines.pretrained.reading import Row

DECAY = 0.01  # of the weights, as in Devlin et al. 2019; biases and what normalises have none
NO_CODE = {"local_files_only": True, "trust_remote_code": False}
KINDS = {
    "bert": (transformers.BertConfig, transformers.BertModel, transformers.BertTokenizer),
    "roberta": (transformers.RobertaConfig, transformers.RobertaModel, transformers.RobertaTokenizer),
    "gpt2": (transformers.GPT2Config, transformers.GPT2LMHeadModel, transformers.GPT2Tokenizer),
}

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()


def tokenizer_in(folder: Path, model_type: str) -> Any:
    return KINDS[model_type][2].from_pretrained(folder, **NO_CODE)


def pretrained(weights: Path | None, model_type: str, config: Mapping[str, Any]) -> nn.Module:
    """Return the network with the weights of a file, or with drawn ones where others will take their place.

    The library gets the tensors and no folder, in which it would look for adapters and other checkpoints. They are
    copied out of the file's pages: where numbers lie in memory can change the last digit of a sum.
    """
    made_with, network, _tokenizer = KINDS[model_type]
    if weights is None:
        drawn: nn.Module = network(made_with(**config))
        return drawn
    tensors = {name: tensor.float().clone() for name, tensor in load_file(weights).items()}
    loaded: nn.Module = network.from_pretrained(
        None, config=made_with(**config), state_dict=tensors, use_safetensors=True, **NO_CODE
    )
    return loaded


def with_head(encoder: Any, *, places: int) -> nn.ModuleDict:
    """Return an encoder and a layer that makes of the vectors of so many pairs a score for each."""
    head = nn.Linear(places * encoder.config.hidden_size, places)
    nn.init.normal_(head.weight, std=encoder.config.initializer_range)
    nn.init.zeros_(head.bias)
    return nn.ModuleDict({"encoder": encoder, "dropout": nn.Dropout(encoder.config.hidden_dropout_prob), "head": head})


def vectors(network: nn.ModuleDict, rows: Sequence[Row], device: str) -> torch.Tensor:
    """Return the vector of the first token of each row, shape (rows, width), as the pooling layer leaves it."""
    config = network["encoder"].config
    tokens, attended = filled(rows, config.pad_token_id, device)
    types = torch.zeros_like(tokens)
    if config.model_type == "bert" and config.type_vocab_size > 1:  # RoBERTa tells the two by its marks alone
        places = torch.arange(tokens.shape[1], device=device)
        types = (places >= torch.tensor([[row.before] for row in rows], device=device)) * attended
    read = network["encoder"](input_ids=tokens, attention_mask=attended, token_type_ids=types)
    first: torch.Tensor = network["dropout"](read.pooler_output)
    return first


def filled(rows: Sequence[Row], filling: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the rows filled up behind, and 1 where they are not filling."""
    lengths = [len(row.tokens) for row in rows]
    longest = max(lengths)
    tokens = [row.tokens + [filling] * (longest - len(row.tokens)) for row in rows]
    attended = [[1] * length + [0] * (longest - length) for length in lengths]
    return torch.tensor(tokens, device=device), torch.tensor(attended, device=device)


def log_likelihoods(network: Any, rows: Sequence[Row], device: str, *, of_response: bool) -> list[torch.Tensor]:
    """Return for each row the log-likelihood of its tokens after the first, or of its response alone."""
    tokens, attended = filled(rows, 0, device)
    logits = network(input_ids=tokens, attention_mask=attended).logits[:, :-1]
    found = logits.float().log_softmax(-1).gather(2, tokens[:, 1:, None]).squeeze(2)
    spans = [slice(row.before - 1 if of_response else 0, len(row.tokens) - 1) for row in rows]
    return [own[span] for own, span in zip(found, spans, strict=True)]


def adam_with_decay(network: nn.Module, rate: float) -> torch.optim.Optimizer:
    matrices = [each for each in network.parameters() if each.ndim > 1]
    others = [each for each in network.parameters() if each.ndim <= 1]
    groups = [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate)
