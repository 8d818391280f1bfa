"""Folders of small weights with drawn numbers, as the transformers library saves them."""

import json
from pathlib import Path

from study.baselines.pretrained.architectures import BERT, GPT2, ROBERTA
from tests.study.baselines.tasks import WORDS

LETTERS = sorted(set("".join(WORDS)))
ARCHITECTURES = {each.model_type: each for each in (BERT, ROBERTA, GPT2)}
WIDTH, LAYERS = 32, 2


def folder_of(model_type: str, folder: Path, *, positions: int = 80) -> Path:
    """Write weights of an architecture with a vocabulary of the letters and words of the made tasks."""
    import torch
    import transformers

    folder.mkdir(parents=True)
    words = bert_words(folder) if model_type == "bert" else byte_words(folder, ARCHITECTURES[model_type].marks)
    torch.manual_seed(0)
    sizes = {"vocab_size": words, "initializer_range": 0.2}
    if model_type == "gpt2":
        config = transformers.GPT2Config(n_embd=WIDTH, n_layer=LAYERS, n_head=2, n_positions=positions, **sizes)
        network = transformers.GPT2LMHeadModel(config)
    else:
        sizes |= {"hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": 2, "intermediate_size": 64}
        made_with, made = {
            "bert": (transformers.BertConfig, transformers.BertModel),
            "roberta": (transformers.RobertaConfig, transformers.RobertaModel),
        }[model_type]
        network = made(made_with(max_position_embeddings=positions + 2 * (model_type == "roberta"), **sizes))
    network.save_pretrained(folder)
    return folder


def bert_words(folder: Path) -> int:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS), *WORDS]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    return len(words)


def byte_words(folder: Path, marks: tuple[str, ...]) -> int:
    """Write a vocabulary of pieces that are joined two by two, from letters to the words of the made tasks."""
    letters = [chr(code) for code in (*range(33, 127), 0x120, 0x10A)]  # 0x120 is a blank, 0x10A the end of a line
    pairs = dict.fromkeys((word[0], word[1]) for word in WORDS)
    joins = [*pairs, *((word[:2], word[2]) for word in WORDS)]
    words = [*("<s>", "<pad>", "</s>", "<unk>", "<mask>")[: 5 * (marks[0] == "<s>")], *letters, *map("".join, joins)]
    words += [mark for mark in marks if mark not in words]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    (folder / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(join) for join in joins)]
    (folder / "merges.txt").write_text("\n".join(lines), encoding="utf-8")
    return len(numbers)
