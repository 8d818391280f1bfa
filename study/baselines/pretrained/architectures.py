"""Architectures of pre-trained weights: keys of their config.json, tensors and words, as transformers saves them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

LARGEST = {
    "vocabulary": 2_000_000,
    "width": 8_192,
    "inner": 65_536,
    "layers": 96,
    "heads": 128,
    "positions": 65_536,
    "types": 1_000,
}
ACTIVATIONS = ("gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "relu", "silu", "tanh")


@dataclass(frozen=True)
class Architecture:
    """What weights of one kind look like.

    `sizes` are the keys of config.json for the sizes of LARGEST; `tensors` have shapes of these sizes, {} in a name is
    the number of a layer. `prefix` stands before the names where the weights were saved with a head. `rates` are
    further numbers in config.json, between 0 and 1. Without tokenizer.json the vocabulary is in the files `vocabulary`,
    the words in the first of them; it has the words `marks`.
    """

    title: str
    model_type: str
    classes: str  # how the names in `architectures` of config.json begin
    prefix: str
    sizes: Mapping[str, str]
    activation: str
    rates: tuple[str, ...]
    tensors: Mapping[str, tuple[str, ...]]
    vocabulary: tuple[str, ...]
    marks: tuple[str, ...]
    reserved: int = 0  # positions that no word has
    optional: Mapping[str, int] = field(default_factory=dict)  # sizes that may be missing: how many times the width

    def shapes(self, sizes: Mapping[str, int]) -> Iterator[tuple[str, list[int]]]:
        """Yield the name and the shape of every tensor that is checked."""
        for name, of in self.tensors.items():
            for number in range(sizes["layers"] if "{}" in name else 1):
                yield name.format(number), [sizes[size] for size in of]


_SIZES = {
    "vocabulary": "vocab_size",
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "inner": "intermediate_size",
    "positions": "max_position_embeddings",
    "types": "type_vocab_size",
}
_RATES = ("layer_norm_eps", "hidden_dropout_prob", "attention_probs_dropout_prob")
_TENSORS = {
    "embeddings.word_embeddings.weight": ("vocabulary", "width"),
    "embeddings.position_embeddings.weight": ("positions", "width"),
    "embeddings.token_type_embeddings.weight": ("types", "width"),
    "encoder.layer.{}.attention.self.query.weight": ("width", "width"),
    "encoder.layer.{}.attention.self.key.weight": ("width", "width"),
    "encoder.layer.{}.attention.self.value.weight": ("width", "width"),
    "encoder.layer.{}.attention.output.dense.weight": ("width", "width"),
    "encoder.layer.{}.intermediate.dense.weight": ("inner", "width"),
    "encoder.layer.{}.output.dense.weight": ("width", "inner"),
}

BERT = Architecture(
    title="BERT",
    model_type="bert",
    classes="Bert",
    prefix="bert.",
    sizes=_SIZES,
    activation="hidden_act",
    rates=_RATES,
    tensors=_TENSORS,
    vocabulary=("vocab.txt",),
    marks=("[CLS]", "[SEP]", "[UNK]"),
)
ROBERTA = Architecture(
    title="RoBERTa",
    model_type="roberta",
    classes="Roberta",
    prefix="roberta.",
    sizes=_SIZES,
    activation="hidden_act",
    rates=_RATES,
    tensors=_TENSORS,
    vocabulary=("vocab.json", "merges.txt"),
    marks=("<s>", "</s>"),
    reserved=2,
)
GPT2 = Architecture(
    title="GPT-2",
    model_type="gpt2",
    classes="GPT2",
    prefix="transformer.",
    sizes={
        "vocabulary": "vocab_size",
        "width": "n_embd",
        "layers": "n_layer",
        "heads": "n_head",
        "inner": "n_inner",
        "positions": "n_positions",
    },
    activation="activation_function",
    rates=("layer_norm_epsilon", "resid_pdrop", "embd_pdrop", "attn_pdrop"),
    tensors={
        "wte.weight": ("vocabulary", "width"),
        "wpe.weight": ("positions", "width"),
        "h.{}.attn.c_attn.weight": ("width", "triple"),
        "h.{}.attn.c_proj.weight": ("width", "width"),
        "h.{}.mlp.c_fc.weight": ("width", "inner"),
        "h.{}.mlp.c_proj.weight": ("inner", "width"),
    },
    vocabulary=("vocab.json", "merges.txt"),
    marks=("<|endoftext|>",),
    optional={"inner": 4},
)
TITLES = {each.model_type: each.title for each in (BERT, ROBERTA, GPT2)}
