"""Pages on which a person plans edits of a corpus, and makes a corpus of them; and what was changed of its parent."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.corpora import edits as actions
from annotation.actions.corpora.corpora import LONGEST_NAME
from annotation.domain.corpora import edits as rules
from annotation.domain.corpora.edits import CLEARED, LEFT_OUT, DialogueChange
from annotation.forms.corpus_edits import DialogueForm, EditedCorpusForm
from annotation.models import Corpus, Dialogue
from annotation.presenters.corpora.changes import changes_of
from annotation.presenters.corpora.reading import PART
from annotation.selectors.corpora.corpus_pages import last_job, page_of, position_in
from annotation.selectors.corpora.plans import counts_of, plan_of, planned_at, with_words
from annotation.views.corpora.reading import corpus_at
from core.actions.refusals import Refused
from core.models import Name
from core.permissions import AuthenticatedRequest, requires
from core.presenters.jobs import watch
from core.tasks import dispatch

UNPROCESSABLE = 422
UNDO = "undo"


@requires("corpus.import")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: AuthenticatedRequest, name: str, position: int) -> HttpResponse:
    """Edit the texts of a dialogue, a part of a long one at a time: they are planned, and the corpus stays."""
    found = corpus_at(request, name)
    dialogue = get_object_or_404(found.dialogues, position=position)
    plan = planned_at(found, [position], by=request.user).get(position)
    texts = list(plan.texts) if plan and plan.texts else rules.texts_of(dialogue.turns)
    begin = min((position_in({"after": request.GET.get("turn", "")})["after"] or 1) - 1, len(texts) - 1)
    part = slice(max(0, begin), max(0, begin) + PART)
    speakers = [turn["speaker"] for turn in dialogue.turns]
    form = DialogueForm(request.POST or None, texts=texts[part], speakers=speakers[part], first=part.start + 1)
    back = _reading(request, name, position)
    if request.method == "POST" and form.is_valid():
        texts[part] = form.texts
        try:
            actions.plan(corpus=found, dialogue=dialogue, change=rules.edit(texts), by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return redirect(back)
    context = {"corpus": found, "dialogue": dialogue, "form": form, "back": back}
    return render(request, "annotation/corpora/edit.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("corpus.import")
@require_POST
def plan(request: AuthenticatedRequest, name: str, position: int) -> HttpResponse:
    """Plan to leave a dialogue out or to clear its flag, or take back what was planned; then lead to the next one."""
    found = corpus_at(request, name)
    dialogue = get_object_or_404(found.dialogues, position=position)
    change = request.POST.get("change", "")
    here = _reading(request, name, position)
    try:
        _plan(found, dialogue, change, request)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect(here)
    then = request.POST.get("then", "")
    return redirect(then if then.startswith(reverse("corpus", args=[name])) else here)


def _reading(request: AuthenticatedRequest, name: str, position: int) -> str:
    """Return the address of the dialogue in the list that it was found in."""
    return f"{reverse('corpus_dialogue', args=[name, position])}?{request.GET.urlencode()}"


def _plan(found: Corpus, dialogue: Dialogue, change: str, request: AuthenticatedRequest) -> None:
    if change == UNDO:
        actions.undo(corpus=found, position=dialogue.position, by=request.user)
    elif change in (LEFT_OUT, CLEARED):
        actions.plan(corpus=found, dialogue=dialogue, change=DialogueChange(change), by=request.user)
    else:
        raise Http404


@requires("corpus.import")
@require_http_methods(["GET", "HEAD", "POST"])
def planned(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Show what the person planned, and make a corpus of it."""
    found = corpus_at(request, name)
    form = EditedCorpusForm(request.POST or None, initial={"name": _free_name(found)})
    if request.method == "POST" and form.is_valid():
        try:
            job = actions.ask_for_corpus(corpus=found, name=form.cleaned_data["name"], by=request.user)
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            dispatch(job)
            return redirect("corpus_edits", name)
    edits = plan_of(found, by=request.user)
    page = page_of(edits, **position_in(request.GET))
    last = last_job(actions.KIND, by=request.user)
    own = last if last and last.arguments["corpus"] == found.pk else None
    context = {
        "corpus": found,
        "form": form,
        "page": page,
        "counts": counts_of(edits),
        "rows": changes_of(found, page.rows),
        "with_words": with_words(edits, actions.words_of_corpus(found)),
        "watch": watch(own) if own and not own.is_over else None,
        "ended": watch(own) if own and own.came_to_nothing else None,
    }
    return render(request, "annotation/corpora/edits.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("corpus.read")
@require_safe
def changes(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Show what was changed of the parent to make this corpus, with the texts before and after."""
    found = corpus_at(request, name)
    if found.parent is None:
        raise Http404
    made = found.changes.all()
    page = page_of(made, **position_in(request.GET))
    context = {
        "corpus": found,
        "parent": found.parent,
        "counts": counts_of(made),
        "page": page,
        "rows": changes_of(found.parent, page.rows),
    }
    return render(request, "annotation/corpora/changes.html", context)


def _free_name(corpus: Corpus) -> str:
    """Return an unused name for an edited corpus."""
    base = f"{corpus.name[: LONGEST_NAME - 12]}-edited"
    taken = set(Name.objects.filter(name__startswith=base).values_list("name", flat=True))
    return next(name for name in (base, *(f"{base}-{number}" for number in range(2, 1_000))) if name not in taken)
