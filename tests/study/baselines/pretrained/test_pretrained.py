"""Models of pre-trained weights: real loading on small weights, what they learn, and what their scores depend on."""

import pickle
from dataclasses import replace
from math import log

import pytest
import torch
import transformers
from safetensors.torch import save_file

from study.baselines.base import Lack, NothingToLearn, RankingInstance, Requirement, SeesCandidates
from study.baselines.evaluate import best_first, evaluate_run
from study.baselines.orders import ORDERS, in_order
from study.baselines.pretrained.model import PretrainedModel
from study.baselines.registry import BASELINES
from study.baselines.tuning import dev_score
from tests.study.baselines import tasks

KEYS = [key for key, model in BASELINES.items() if model.architecture]
TRAINED = [key for key in KEYS if Requirement.TRAIN in BASELINES[key].needs]
BY_ITSELF = [key for key in KEYS if BASELINES[key].sees == SeesCandidates.ITSELF]
BY_ORDER = ["bert-mc", "roberta-mc"]
LEARNING = {"rate": 3e-3, "epochs": 24, "patience": 24}
QUICK = {"rate": 1e-3, "epochs": 1}


@pytest.fixture
def made(folders):
    def make(key: str, **settings) -> PretrainedModel:
        model = BASELINES[key](settings, seed=3, weights=folders[BASELINES[key].architecture.model_type])
        assert isinstance(model, PretrainedModel)
        return model

    return make


@pytest.fixture
def taught(made):
    def teach(key: str, train, dev=(), **settings) -> PretrainedModel:
        model = made(key, **(settings if key in TRAINED else {}))
        model.fit(train if key in TRAINED else [], dev)
        return model

    return teach


def first_choices(model, instances) -> float:
    return evaluate_run(instances, model.score(instances), seed=0)["R@1"]


def test_these_are_the_models_of_weights():
    assert KEYS == [
        "bert",
        "roberta",
        "bert-mc",
        "roberta-mc",
        "bert-mc-shared",
        "roberta-mc-shared",
        "gpt2",
        "gpt2-ft",
    ]
    assert set(KEYS) - set(BY_ITSELF) == set(BY_ORDER)


@pytest.mark.parametrize("key", TRAINED)
def test_a_model_learns_fifty_answers_by_heart_that_follow_from_nothing(taught, key):
    fifty = tasks.guesses(50)
    more = {"epochs": 40, "patience": 40} if key == "gpt2-ft" else {}  # it sees a response where others see four
    assert first_choices(taught(key, fifty, **LEARNING | more), fifty) >= 0.96


@pytest.mark.parametrize("key", ["bert", "bert-mc", "bert-mc-shared"])
def test_a_model_learns_from_grades_what_people_like(taught, key):
    """Guessing is worth .65 here."""
    asked = tasks.liked(40, seed=2)
    model = taught(key, tasks.liked(60), **LEARNING)
    assert dev_score(model.score(asked), asked) >= 0.85


@pytest.mark.parametrize("key", KEYS)
def test_equal_runs_give_equal_scores_in_batches_of_any_size(taught, key):
    train, asked = tasks.graded(12), tasks.graded(24, seed=2)
    model = taught(key, train, **QUICK)
    at_once = model.score(asked)
    assert taught(key, train, **QUICK).score(asked) == at_once
    one_by_one = [score for each in asked for score in model.score([each])]
    assert list(map(best_first, one_by_one)) == list(map(best_first, at_once))
    assert one_by_one == at_once


@pytest.mark.parametrize("key", KEYS)
def test_what_was_saved_scores_as_before(taught, made, key, tmp_path):
    model, asked = taught(key, tasks.graded(12), **QUICK), tasks.graded(12, seed=2)
    model.save(tmp_path)
    again = made(key, **model.settings)
    again.weights = None if key in TRAINED else model.weights
    again.load(tmp_path)
    assert again.score(asked) == model.score(asked)
    assert not {path.suffix for path in tmp_path.iterdir()} - {".json", ".txt", ".safetensors"}, "never code"


@pytest.mark.parametrize("key", BY_ITSELF)
def test_a_candidate_scored_by_itself_scores_the_same_beside_any_other(taught, key):
    model = taught(key, tasks.graded(8), **QUICK)
    instance = RankingInstance("i", ("babab dedad",), ("babab", "dedad fifif", "gagag", "dedad fifif"), 0)
    [before] = model.score([instance])
    assert before[1] == before[3]
    [other] = model.score([replace(instance, candidates=("babab", "lolol", "gagag"))])
    assert (other[0], other[2]) == (before[0], before[2])
    [turned] = model.score([replace(instance, candidates=instance.candidates[::-1])])
    assert turned == before[::-1]
    assert len(set(before)) == 3


@pytest.mark.parametrize("key", BY_ORDER)
def test_concatenated_candidates_change_each_others_scores(taught, key):
    model = taught(key, tasks.guesses(8), **QUICK)
    instance = RankingInstance("i", ("babab dedad",), ("babab", "dedad fifif", "gagag", "lolol"), 0)
    [before] = model.score([instance])
    [other] = model.score([replace(instance, candidates=("babab", "dedad fifif", "gagag", "mumum"))])
    assert all(first != second for first, second in zip(before, other, strict=True))
    [turned] = model.score([replace(instance, candidates=instance.candidates[::-1])])
    assert sorted(turned) != sorted(before)


@pytest.mark.parametrize("key", BY_ORDER)
def test_drawn_orders_of_an_instance_read_each_pair_once(taught, key, monkeypatch):
    """What is read is the same in all orders, and reading is what takes long."""
    model = taught(key, tasks.guesses(8), **QUICK)
    read, vectors_of = [], model.vectors_of
    monkeypatch.setattr(
        model, "vectors_of", lambda lessons: (read.extend(lessons[0].responses), vectors_of(lessons))[1]
    )
    turned = [in_order(instance, 0, number) for instance in tasks.guesses(3, seed=2) for number in range(ORDERS)]
    scores = model.score(turned)
    assert len(read) == 3 * 4
    assert [model.score([each]) for each in turned] == [[own] for own in scores]


@pytest.mark.parametrize("key", BY_ORDER)
def test_concatenated_candidates_may_be_fewer_than_were_trained_on(taught, key):
    model = taught(key, [*tasks.guesses(4), *tasks.liked(4)], **QUICK)
    [scores] = model.score([RankingInstance("i", ("babab",), ("babab", "dedad"), 0)])
    assert len(scores) == 2


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("context", [(), ("",), ("babab " * 10_000,), ("中文 ☃",)])
def test_odd_contexts_get_scores(taught, key, context):
    model = taught(key, [*tasks.guesses(4), *tasks.graded(4)], **QUICK)
    [scores] = model.score([RankingInstance("i", context, ("babab", "", "…", "babab " * 2_000))])
    assert all(abs(score) < float("inf") for score in scores)


@pytest.mark.parametrize("key", KEYS)
def test_a_long_context_loses_its_beginning_and_a_short_limit_more_of_it(taught, key):
    """The weights have positions for 80 pieces."""
    train = tasks.guesses(4)
    model = taught(key, train, **QUICK)
    assert model.learned["length"] == 80
    asked = RankingInstance("i", ("babab " * 100, "dedad " * 8), ("fifif", "gagag"), 0)
    [scores] = model.score([asked])
    assert model.score([replace(asked, context=("lolol " * 100, "dedad " * 16))]) != [scores]
    assert model.score([replace(asked, context=("lolol " * 100, "babab " * 60, "dedad " * 8))]) == [scores]
    if key in TRAINED:
        assert taught(key, train, **QUICK, length=16).learned["length"] == 16


@pytest.mark.parametrize("key", ["bert", "bert-mc", "bert-mc-shared"])
def test_grades_that_are_all_the_same_teach_no_order(made, key):
    train = [RankingInstance(f"i{number}", ("who?",), ("me", "you"), grades=(3, 3)) for number in range(4)]
    with pytest.raises(NothingToLearn) as caught:
        made(key).fit(train)
    assert caught.value.lack == Lack.PREFERENCES


def test_dialogues_without_candidates_teach_a_language_model(taught, made):
    train = [RankingInstance("t", ("babab dedad", "fifif gagag"))]
    first, asked = RankingInstance("i", ("babab dedad",), ("fifif gagag",)), {"epochs": 30, "patience": 30}
    assert taught("gpt2-ft", train, rate=1e-3, **asked).score([first]) > taught("gpt2", []).score([first])
    with pytest.raises(NothingToLearn):
        made("gpt2-ft").fit([RankingInstance("t", ("alone",)), RankingInstance("u", ("who?",), ("me",))])


def test_encoders_score_as_the_library_does(taught, folders):
    """Compare with transformers' own reading of the pair and the layer on its pooled vector."""
    for key, of in (("bert", transformers.BertTokenizer), ("roberta", transformers.RobertaTokenizer)):
        model = taught(key, tasks.guesses(8), **QUICK)
        read = of.from_pretrained(folders[key])("babab dedad", "fifif", return_tensors="pt")
        network = model.network
        with torch.no_grad():
            expected = network["head"](network["encoder"](**read).pooler_output).item()
        [[score]] = model.score([RankingInstance("i", ("babab dedad",), ("fifif",))])
        assert score == pytest.approx(expected, abs=1e-5)


def test_gpt2_scores_the_perplexity_that_the_library_computes(made, folders):
    """Of the whole sequence as transformers' own loss has it; of the response alone by the sums over its pieces."""
    network = transformers.GPT2LMHeadModel.from_pretrained(folders["gpt2"])
    tokenizer = transformers.GPT2Tokenizer.from_pretrained(folders["gpt2"])
    texts = "<|endoftext|>babab dedad\nfifif", "<|endoftext|>babab dedad"
    whole, context = (tokenizer(text, return_tensors="pt")["input_ids"] for text in texts)
    with torch.no_grad():
        of_whole, of_context = (network(ids, labels=ids).loss.item() for ids in (whole, context))
    pieces, before = whole.shape[1] - 1, context.shape[1] - 1
    of_response = (of_whole * pieces - of_context * before) / (pieces - before)
    asked = [RankingInstance("i", ("babab dedad",), ("fifif",))]
    for scored, expected in (("sequence", of_whole), ("response", of_response)):
        model = made("gpt2", scored=scored)
        model.fit([])
        assert model.score(asked) == [[pytest.approx(-expected, abs=1e-5)]]
        [[nothing]] = model.score([RankingInstance("i", (), ("",))])
        assert nothing == pytest.approx(-log(network.config.vocab_size))


def test_nothing_in_the_folder_is_run_and_nothing_is_asked_of_the_net(folders, made, tmp_path, monkeypatch):
    """Pickles, an adapter, code that no config names, and a part of a distributed checkpoint, which comes first."""
    folder = tmp_path / "bert"
    folder.mkdir()
    for path in folders["bert"].iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / ".metadata").write_bytes(pickle.dumps(Trap()))
    (folder / "shard-00001-model-00001-of-00001.safetensors").write_bytes(b"other weights")
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "someone/else"}')
    (folder / "modeling_bert.py").write_text("raise SystemExit")
    monkeypatch.setattr("socket.socket.connect", lambda *address: pytest.fail("asks the net"))
    model = made("bert", **QUICK)
    model.weights = folder
    model.fit(tasks.guesses(4))
    assert not Trap.sprung


class Trap:
    """A pickle that tells when it is read."""

    sprung = False

    def __reduce__(self):
        return setattr, (Trap, "sprung", True)


def test_weights_that_were_saved_with_a_head_are_those_without_it(made, folders, tmp_path):
    """Also where they were saved in half precision, or by an old version that called some of them otherwise."""
    network = transformers.BertForMaskedLM.from_pretrained(folders["bert"])
    state = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): tensor
        for name, tensor in network.bfloat16().state_dict().items()
    }
    for path in folders["bert"].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    save_file({name: tensor.clone() for name, tensor in state.items()}, tmp_path / "model.safetensors")
    model = made("bert")
    model.weights = tmp_path
    model.prepare([])
    encoder = model.made()["encoder"].state_dict()
    expected = transformers.BertModel.from_pretrained(folders["bert"]).bfloat16().float().state_dict()
    of_pooling = {name for name in expected if name.startswith("pooler.")}  # a masked language model has none
    assert {tensor.dtype for tensor in encoder.values()} == {torch.float32}
    assert all(torch.equal(encoder[name], expected[name]) for name in expected.keys() - of_pooling)


def test_every_weight_but_the_head_is_that_of_the_folder(made, folders):
    model = made("bert")
    model.prepare([])
    encoder = model.made()["encoder"].state_dict()
    expected = transformers.BertModel.from_pretrained(folders["bert"]).state_dict()
    assert encoder.keys() == expected.keys()
    assert all(torch.equal(tensor, expected[name]) for name, tensor in encoder.items())
