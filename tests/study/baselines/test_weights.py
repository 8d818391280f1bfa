"""Folders of weights: what is wrong with one is said before a model is made of it, without torch."""

import json
import os
import pickle

import numpy as np
import pytest

from study.baselines.pretrained import numbers
from study.baselines.pretrained.architectures import BERT, GPT2, ROBERTA
from study.baselines.pretrained.weights import WeightsError, checked_config, checksum
from study.baselines.registry import BASELINES

BERT_CONFIG = {
    "architectures": ["BertForMaskedLM"],
    "model_type": "bert",
    "vocab_size": 6,
    "hidden_size": 4,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 8,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "tokenizer_class": "BertTokenizer",
}
GPT2_CONFIG = {
    "model_type": "gpt2",
    "vocab_size": 3,
    "n_embd": 4,
    "n_layer": 1,
    "n_head": 2,
    "n_positions": 8,
    "n_inner": None,
}
SIZES = {"vocabulary": 6, "width": 4, "layers": 2, "inner": 8, "positions": 16, "types": 2}
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b")


def tensors(shapes) -> bytes:
    """Return a safetensors file of zeros, written by hand as its format says."""
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in shapes:
        size = 4 * shape[0] * shape[1]
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    written = json.dumps(header).encode()
    return len(written).to_bytes(8, "little") + written + bytes(end)


def written(folder):
    """Write the least that BERT needs to a new folder, and return it."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(BERT_CONFIG))
    (folder / "model.safetensors").write_bytes(tensors(BERT.shapes(SIZES)))
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    return folder


@pytest.fixture
def folder(tmp_path):
    return written(tmp_path / "bert-tiny")


def refused(folder, needed=BERT, model="BERT-MC") -> tuple[str, str]:
    with pytest.raises(WeightsError) as caught:
        checked_config(folder, needed, model=model)
    return caught.value.code, str(caught.value)


def with_config(folder, **values):
    (folder / "config.json").write_text(json.dumps(BERT_CONFIG | values))
    return folder


def test_of_config_json_only_sizes_and_rates_are_used(folder):
    kept = checked_config(folder, BERT, model="BERT")
    assert kept == {
        key: value
        for key, value in BERT_CONFIG.items()
        if key not in ("architectures", "model_type", "tokenizer_class")
    }


def test_weights_that_were_saved_with_a_head_have_other_names(folder):
    shapes = [(f"bert.{name}", shape) for name, shape in BERT.shapes(SIZES)]
    (folder / "model.safetensors").write_bytes(tensors([*shapes, ("cls.predictions.decoder.weight", [6, 4])]))
    assert checked_config(folder, BERT, model="BERT")["vocab_size"] == 6


def test_gpt2_may_leave_out_the_width_of_its_inner_layer(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(GPT2_CONFIG))
    shapes = GPT2.shapes({"vocabulary": 3, "width": 4, "triple": 12, "layers": 1, "inner": 16, "positions": 8})
    (tmp_path / "model.safetensors").write_bytes(tensors(shapes))
    words = {"model": {"vocab": {"a": 0, "b": 1}}, "added_tokens": [{"content": "<|endoftext|>", "id": 2}]}
    (tmp_path / "tokenizer.json").write_text(json.dumps(words))
    assert checked_config(tmp_path, GPT2, model="GPT-2")["n_inner"] == 16


def test_weights_of_another_architecture_are_named(folder):
    found = refused(with_config(folder, model_type="roberta", architectures=["RobertaModel"]))
    assert found[0] == "foreign_weights"
    assert found[1] == "This is RoBERTa; BERT-MC needs BERT. Name a folder with weights of BERT."
    assert "This is BERT; RoBERTa needs RoBERTa." in refused(with_config(folder), ROBERTA, "RoBERTa")[1]
    assert "This is T5Model;" in refused(with_config(folder, architectures=["T5Model"]))[1]
    assert "This is None;" in refused(with_config(folder, model_type=None))[1]


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_what_is_missing_is_named(folder, name):
    (folder / name).unlink()
    code, said = refused(folder)
    assert code == "weights_incomplete"
    assert f"{name} is not in the folder of weights “bert-tiny”. Put it there" in said


def test_no_folder_is_no_folder_of_weights(tmp_path):
    (tmp_path / "file").touch()
    assert {refused(tmp_path / name)[0] for name in ("nothing", "file")} == {"no_weights"}


@pytest.mark.parametrize("name", ["pytorch_model.bin", "pytorch_model.bin.index.json"])
def test_pickles_are_never_read(folder, name):
    (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(pickle.dumps({"weights": 1}))
    code, said = refused(folder)
    assert code == "weights_pickled"
    assert name in said and "save_pretrained()" in said


def test_weights_in_several_files_are_to_be_saved_as_one(folder):
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    (folder / "model.safetensors.index.json").write_text("{}")
    assert refused(folder)[0] == "weights_in_parts"


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_a_folder_that_brings_code_is_refused(folder, name):
    asks = {"auto_map": {"AutoModel": "modeling.Own"}}
    (folder / name).write_text(json.dumps({**BERT_CONFIG, **asks} if name == "config.json" else asks))
    code, said = refused(folder)
    assert code == "weights_with_code"
    assert name in said and "never run" in said


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_links_are_not_followed_out_of_the_folder(folder, name, tmp_path):
    (folder / name).rename(tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    assert refused(folder)[0] == "weights_outside"
    (folder / name).unlink()
    (folder / name).symlink_to(tmp_path / "nowhere")
    assert refused(folder)[0] == "weights_outside"
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert refused(folder)[0] == "weights_outside"


def test_links_within_the_folder_are_files_of_it(folder):
    (folder / "vocab.txt").rename(folder / "words.txt")
    (folder / "vocab.txt").symlink_to("words.txt")
    assert checked_config(folder, BERT, model="BERT")


@pytest.mark.parametrize(("name", "most"), [("config.json", 1), ("vocab.txt", 64), ("model.safetensors", 4_096)])
def test_files_beyond_their_limit_are_not_read(folder, name, most):
    os.truncate(folder / name, most * 2**20 + 1)
    code, said = refused(folder)
    assert code == "weights_too_large"
    assert f"{most} MB" in said


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_a_config_that_is_no_json_object_is_refused(folder, content):
    (folder / "config.json").write_bytes(content)
    assert refused(folder)[0] == "weights_broken"


@pytest.mark.parametrize(
    "values",
    [
        {"hidden_size": 0},
        {"hidden_size": "4"},
        {"hidden_size": True},
        {"num_hidden_layers": 10**9},
        {"num_attention_heads": 3},
        {"vocab_size": None},
        {"hidden_act": "eval"},
        {"hidden_dropout_prob": 2},
        {"layer_norm_eps": "small"},
    ],
)
def test_sizes_that_cannot_be_are_refused(folder, values):
    code, said = refused(with_config(folder, **values))
    assert code == "wrong_config"
    assert next(iter(values)) in said


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 7,
        (2**63).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"{}",
        (4).to_bytes(8, "little") + b"null",
        tensors(BERT.shapes(SIZES))[:-1],
        tensors(BERT.shapes(SIZES)) + b"more",
        tensors(BERT.shapes(SIZES)).replace(b'"F32"', b'"F16"'),
        tensors(BERT.shapes(SIZES)).replace(b'"shape"', b'"shade"'),
        tensors(BERT.shapes(SIZES)).replace(b'"data_offsets": [0, 96]', b'"data_offsets": [96,0]'),
        tensors(BERT.shapes(SIZES)).replace(b'"data_offsets": [0, 96]', b'"data_offsets": [-9,87]'),
    ],
)
def test_tensors_that_are_cut_off_or_do_not_fit_their_header_are_refused(folder, content):
    (folder / "model.safetensors").write_bytes(content)
    assert refused(folder)[0] == "weights_broken"


KINDS = {"F32": "<f4", "F16": "<f2", "BF16": "<f4"}


def of_kind(folder, kind, number):
    """Write weights of one kind of which the last number is this one; all others are the largest that the kind has."""
    largest = {"F32": np.finfo(np.float32).max, "F16": np.finfo(np.float16).max, "BF16": 3.3e38}[kind]
    header, data = {}, b""
    shapes = list(BERT.shapes(SIZES))
    for name, shape in shapes:
        values = np.full(shape, largest, KINDS[kind])
        if name == shapes[-1][0]:
            values[-1, -1] = number
        written = values.tobytes()
        if kind == "BF16":
            written = (np.frombuffer(written, "<u4") >> 16).astype("<u2").tobytes()
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(written)]}
        data += written
    told = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(told).to_bytes(8, "little") + told + data)


@pytest.mark.parametrize("piece", [2**24, 4])
@pytest.mark.parametrize("kind", ["F32", "F16", "BF16"])
def test_weights_that_are_no_numbers_are_refused_in_whole_and_in_half_precision(folder, kind, piece, monkeypatch):
    monkeypatch.setattr(numbers, "PIECE", piece)
    for number in (float("nan"), float("inf"), float("-inf")):
        of_kind(folder, kind, number)
        numbers._damaged.cache_clear()
        code, said = refused(folder)
        assert code == "weights_no_numbers"
        assert list(BERT.shapes(SIZES))[-1][0] in said
    of_kind(folder, kind, 0)
    numbers._damaged.cache_clear()
    assert checked_config(folder, BERT, model="BERT")


def test_a_part_of_the_weights_that_was_overwritten_is_found(folder):
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-64:-32] = b"\xff" * 32
    path.write_bytes(content)
    assert refused(folder)[0] == "weights_no_numbers"


def test_a_missing_tensor_is_named(folder):
    shapes = [each for each in BERT.shapes(SIZES) if "layer.1.attention.self.key" not in each[0]]
    (folder / "model.safetensors").write_bytes(tensors(shapes))
    code, said = refused(folder)
    assert code == "weights_incomplete"
    assert "encoder.layer.1.attention.self.key.weight of BERT" in said


def test_shapes_have_to_be_those_of_config_json(folder):
    code, said = refused(with_config(folder, max_position_embeddings=512))
    assert code == "foreign_weights"
    assert "embeddings.position_embeddings.weight is F32 [16, 4]; according to config.json it must be [512, 4]" in said


def test_a_vocabulary_has_to_be_that_of_the_weights(folder):
    (folder / "vocab.txt").write_text("\n".join(WORDS[:2]))
    assert "lacks [CLS], which BERT needs" in refused(folder)[1]
    (folder / "vocab.txt").write_text("\n".join([*WORDS, "c"]))
    code, said = refused(folder)
    assert (code, "numbers words up to 6; the weights have 6 words" in said) == ("foreign_vocabulary", True)
    for broken in ("{}", '{"model": {"vocab": ["a"]}}', '{"model": {"vocab": {"a": "one"}}}'):
        (folder / "tokenizer.json").write_text(broken)
        assert refused(folder)[0] == "weights_broken"


def test_the_checksum_is_that_of_what_is_read(folder, tmp_path):
    first = checksum(folder, BERT)
    (folder / "README.md").write_text("Anything")
    assert checksum(folder.rename(tmp_path / "elsewhere"), BERT) == first
    (tmp_path / "elsewhere" / "vocab.txt").write_text("\n".join(reversed(WORDS)))
    assert checksum(tmp_path / "elsewhere", BERT) != first


@pytest.mark.parametrize("key", [key for key, model in BASELINES.items() if model.architecture])
def test_every_model_of_weights_says_which_it_needs(key, folder):
    needed = BASELINES[key].architecture
    if needed is BERT:
        assert checked_config(folder, needed, model=key)
    else:
        assert refused(folder, needed, key)[0] == "foreign_weights"
