"""Folders of pre-trained weights: what one must hold for a model, checked without loading the weights.

Such a folder is what `save_pretrained` of the transformers library writes. Only plain files that lie in it are read,
none beyond its limit: config.json, model.safetensors and the vocabulary. Pickles and code are never read.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.wording import ChoiceError, gettext_noop
from study.baselines.pretrained.architectures import ACTIVATIONS, LARGEST, TITLES, Architecture
from study.baselines.pretrained.numbers import damaged_tensor

CONFIG, TENSORS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
TOKENIZER_OPTIONS = ("tokenizer_config.json", "special_tokens_map.json")
PICKLES = ("pytorch_model.bin", "model.bin", "model.pt", "model.pth", "pytorch_model.bin.index.json")
PARTS = "model.safetensors.index.json"
MEGABYTE = 2**20
MOST_OF_JSON, MOST_OF_WORDS, MOST_OF_HEADER, MOST_OF_TENSORS = (n * MEGABYTE for n in (1, 64, 16, 4_096))
LENGTH_FIRST = 8  # bytes of a safetensors file that say how long its header is
BYTES = {"F32": 4, "F16": 2, "BF16": 2}  # of a number that weights consist of

NO_FOLDER = gettext_noop(
    "There is no folder of weights “%(folder)s”. Name one with config.json, model.safetensors and the vocabulary."
)
MISSING = gettext_noop(
    "%(file)s is not in the folder of weights “%(folder)s”. Put it there; save_pretrained() in transformers writes it."
)
OUTSIDE = gettext_noop(
    "%(file)s in the folder of weights “%(folder)s” is a link to outside the folder, or "
    "not a file. Put the file itself there."
)
TOO_LARGE = gettext_noop(
    "%(file)s in the folder of weights “%(folder)s” is larger than the %(most)s MB "
    "limit. Use a smaller model, or copy the right file there."
)
PICKLED = gettext_noop(
    "The weights in “%(folder)s” are in %(file)s, a format that can contain code and is "
    "never read. Load them with transformers where you trust them, and save them with "
    "save_pretrained(), which writes model.safetensors."
)
IN_PARTS = gettext_noop(
    "The weights in “%(folder)s” are in several files. Save them in one: save_pretrained(…, max_shard_size='4GB')."
)
CODE = gettext_noop(
    "%(file)s in “%(folder)s” asks for code from the folder (auto_map), which is never "
    "run. Use weights that transformers can read without it."
)
NO_JSON = gettext_noop("%(file)s in the folder of weights “%(folder)s” is not valid JSON. Copy it again.")
FOREIGN = gettext_noop("This is %(found)s; %(model)s needs %(needed)s. Name a folder with weights of %(needed)s.")
NO_SIZE = gettext_noop(
    "config.json in “%(folder)s” has %(key)s = %(value)s, which is impossible for %(needed)s. Copy it again from "
    "its model."
)
BROKEN = gettext_noop(
    "model.safetensors in “%(folder)s” is incomplete or not a safetensors file: its header does not fit. Copy it again."
)
NO_TENSOR = gettext_noop(
    "model.safetensors in “%(folder)s” lacks the tensor %(tensor)s of %(needed)s. Save the whole model with "
    "save_pretrained()."
)
WRONG_TENSOR = gettext_noop(
    "In model.safetensors in “%(folder)s”, the tensor %(tensor)s is %(found)s; according to config.json it must be "
    "%(expected)s of F32, F16 or BF16. Copy both files from the same model."
)
NO_NUMBERS = gettext_noop(
    "model.safetensors in “%(folder)s” is damaged: the tensor %(tensor)s contains values "
    "that are not numbers (NaN or infinite). Download the weights again."
)
NO_MARK = gettext_noop(
    "The vocabulary in “%(folder)s” lacks %(word)s, which %(needed)s needs. Copy it from the model of the weights."
)
TOO_MANY_WORDS = gettext_noop(
    "The vocabulary in “%(folder)s” numbers words up to %(found)s; the weights have %(most)s words, from 0. Copy both "
    "from the same model."
)


CODES = (
    "no_weights",
    "weights_incomplete",
    "weights_outside",
    "weights_too_large",
    "weights_pickled",
    "weights_in_parts",
    "weights_with_code",
    "weights_broken",
    "weights_no_numbers",
    "foreign_weights",
    "foreign_vocabulary",
    "wrong_config",
)


class WeightsError(ChoiceError):
    """A folder of weights from which the model cannot be made; `code` is that of the refusal."""

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(sentence, **params)
        self.code = code


def checked_config(folder: Path, needed: Architecture, *, model: str) -> dict[str, Any]:
    """Return what a model is made with from config.json: nothing else of it is used. Raises WeightsError.

    `model` is the title of who asks. Checked are the sizes and shapes of all that is read, so that a model that is made
    of it loads, and last that the weights are numbers, for which the whole file is read.
    """
    if not folder.is_dir():
        raise WeightsError("no_weights", NO_FOLDER, folder=folder.name)
    config = _json(folder, CONFIG, MOST_OF_JSON)
    _must_be_of(needed, config, folder, model=model)
    sizes = _sizes(config, needed, folder)
    _must_have_tensors(folder, needed, sizes)
    _must_have_words(folder, needed, sizes["vocabulary"])
    _must_be_numbers(folder)
    named = {needed.sizes[size]: number for size, number in sizes.items() if size in needed.sizes}
    kept = {key: config[key] for key in needed.rates if key in config}
    return {**named, **kept, **_activation(config, needed, folder)}


def files_of(folder: Path, needed: Architecture) -> list[str]:
    """Return the names of the files that are read, of a folder that was checked."""
    words = (TOKENIZER,) if (folder / TOKENIZER).exists() else needed.vocabulary
    return [CONFIG, TENSORS, *words, *(name for name in TOKENIZER_OPTIONS if (folder / name).exists())]


def checksum(folder: Path, needed: Architecture) -> str:
    """Return the SHA-256 of the names and contents of the files that are read."""
    digest = sha256()
    for name in files_of(folder, needed):
        content = np.memmap(folder / name, mode="r").data if name == TENSORS else (folder / name).read_bytes()
        digest.update(f"{name} {sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()


def _must_be_of(needed: Architecture, config: Mapping[str, Any], folder: Path, *, model: str) -> None:
    """Refuse weights of another architecture, and a folder that asks for code of its own."""
    found = config.get("model_type")
    classes = config.get("architectures") or []
    alike = isinstance(classes, list) and all(str(name).startswith(needed.classes) for name in classes)
    if found != needed.model_type or not alike:
        said = TITLES.get(str(found), str(found)) if found != needed.model_type else ", ".join(map(str, classes))
        raise WeightsError("foreign_weights", FOREIGN, found=said[:80], model=model, needed=needed.title)
    for name in (CONFIG, *TOKENIZER_OPTIONS[:1]):
        if (folder / name).exists() and "auto_map" in _json(folder, name, MOST_OF_JSON):
            raise WeightsError("weights_with_code", CODE, folder=folder.name, file=name)


def _sizes(config: Mapping[str, Any], needed: Architecture, folder: Path) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for size, key in needed.sizes.items():
        value = config.get(key)
        if value is None and size in needed.optional:
            value = needed.optional[size] * sizes["width"]
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST[size]:
            raise _no_size(folder, key, value, needed)
        sizes[size] = value
    if sizes["width"] % sizes["heads"]:
        raise _no_size(folder, needed.sizes["heads"], sizes["heads"], needed)
    for key in needed.rates:
        rate = config.get(key, 0)
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate < 1:
            raise _no_size(folder, key, rate, needed)
    return sizes


def _activation(config: Mapping[str, Any], needed: Architecture, folder: Path) -> dict[str, str]:
    name = config.get(needed.activation)
    if name is not None and name not in ACTIVATIONS:
        raise _no_size(folder, needed.activation, name, needed)
    return {needed.activation: name} if name else {}


def _no_size(folder: Path, key: str, value: object, needed: Architecture) -> WeightsError:
    said = str(value)[:40]
    return WeightsError("wrong_config", NO_SIZE, folder=folder.name, key=key, value=said, needed=needed.title)


def _must_have_tensors(folder: Path, needed: Architecture, sizes: Mapping[str, int]) -> None:
    shapes = _shapes(folder)
    for name, expected in needed.shapes({**sizes, "triple": 3 * sizes["width"]}):
        found = shapes.get(name) or shapes.get(needed.prefix + name)
        if found is None:
            raise WeightsError("weights_incomplete", NO_TENSOR, folder=folder.name, tensor=name, needed=needed.title)
        if found[1] != expected or found[0] not in BYTES:
            said = f"{found[0]} {found[1]}"
            params = {"folder": folder.name, "tensor": name, "found": said, "expected": expected}
            raise WeightsError("foreign_weights", WRONG_TENSOR, **params)


def _shapes(folder: Path) -> dict[str, tuple[str, list[int]]]:
    """Return type and shape of each tensor in model.safetensors, by its header, which has to fit the file."""
    _must_be_one_safe_file(folder)
    path = _plain_file(folder, TENSORS, MOST_OF_TENSORS)
    try:
        header, start = header_of(path)
        header.pop("__metadata__", None)
        shapes = {name: (each["dtype"], each["shape"]) for name, each in header.items()}
        ends = [end for each in header.values() for end in each["data_offsets"][1:]]
        fits = max(ends) == path.stat().st_size - start and all(map(_is_whole, header.values()))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        fits = False
    if not fits:
        raise WeightsError("weights_broken", BROKEN, folder=folder.name)
    return shapes


def _must_be_numbers(folder: Path) -> None:
    header, start = header_of(folder / TENSORS)
    header.pop("__metadata__", None)
    if name := damaged_tensor(folder / TENSORS, header, start):
        raise WeightsError("weights_no_numbers", NO_NUMBERS, folder=folder.name, tensor=name)


def header_of(path: Path) -> tuple[dict[str, Any], int]:
    """Return the header of a safetensors file, and the byte at which its tensors begin; none of them is read.

    Raises OSError, and ValueError where there is no header.
    """
    content = np.memmap(path, mode="r")
    length = int.from_bytes(content[:LENGTH_FIRST].tobytes(), "little")
    if length > MOST_OF_HEADER:
        raise ValueError("the header is too long")
    start = LENGTH_FIRST + length
    return json.loads(content[LENGTH_FIRST:start].tobytes().decode()), start


def _is_whole(tensor: Mapping[str, Any]) -> bool:
    """Return whether a tensor has as many bytes as its shape says; that of types not read here is not known."""
    start, end = tensor["data_offsets"]
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
        return False
    return tensor["dtype"] not in BYTES or end - start == prod(tensor["shape"]) * BYTES[tensor["dtype"]]


def _must_be_one_safe_file(folder: Path) -> None:
    if (folder / TENSORS).exists():
        return
    if (folder / PARTS).exists():
        raise WeightsError("weights_in_parts", IN_PARTS, folder=folder.name)
    for name in PICKLES:
        if (folder / name).exists():
            raise WeightsError("weights_pickled", PICKLED, folder=folder.name, file=name)


def _must_have_words(folder: Path, needed: Architecture, most: int) -> None:
    words = _words(folder, needed)
    for mark in needed.marks:
        if mark not in words:
            raise WeightsError("foreign_vocabulary", NO_MARK, folder=folder.name, word=mark, needed=needed.title)
    if (highest := max(words.values())) >= most:
        raise WeightsError("foreign_vocabulary", TOO_MANY_WORDS, folder=folder.name, found=highest, most=most)


def _words(folder: Path, needed: Architecture) -> dict[str, int]:
    """Return the number of each word of the vocabulary."""
    if (folder / TOKENIZER).exists():
        name, read = TOKENIZER, _json(folder, TOKENIZER, MOST_OF_WORDS)
    else:
        [path, *_others] = [_plain_file(folder, name, MOST_OF_WORDS) for name in needed.vocabulary]
        if path.suffix == ".txt":
            return {word: number for number, word in enumerate(path.read_text("utf-8", "replace").splitlines())}
        name, read = path.name, {"model": {"vocab": _json(folder, path.name, MOST_OF_WORDS)}}
    try:
        words = {word: int(number) for word, number in read["model"]["vocab"].items()}
        return words | {str(added["content"]): int(added["id"]) for added in read.get("added_tokens") or ()}
    except (AttributeError, KeyError, TypeError, ValueError) as wrong:
        raise WeightsError("weights_broken", NO_JSON, folder=folder.name, file=name) from wrong


def _json(folder: Path, name: str, most: int) -> dict[str, Any]:
    path = _plain_file(folder, name, most)
    try:
        read = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise WeightsError("weights_broken", NO_JSON, folder=folder.name, file=name)
    return read


def _plain_file(folder: Path, name: str, most: int) -> Path:
    path = folder / name
    if not path.exists() and not path.is_symlink():
        raise WeightsError("weights_incomplete", MISSING, folder=folder.name, file=name)
    if not (path.is_file() and path.resolve().is_relative_to(folder.resolve())):
        raise WeightsError("weights_outside", OUTSIDE, folder=folder.name, file=name)
    if path.stat().st_size > most:
        raise WeightsError("weights_too_large", TOO_LARGE, folder=folder.name, file=name, most=most // MEGABYTE)
    return path
