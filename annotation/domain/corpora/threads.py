"""Chains of answers between two people, out of posts that name the post they answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

LONGEST_CHAIN = 2_000  # posts


@dataclass(slots=True, eq=False)
class Post:
    """A post: its author, the post that it answers ("" for none), when (UTC; "" where it is not known).

    `place` is where its text is kept; `fate` what became of it so far.
    """

    id: str
    author: str
    parent: str
    at: str
    place: int
    fate: str = ""
    answers: list["Post"] = field(default_factory=list)


def first_posts(posts: Mapping[str, Post]) -> list[Post]:
    """Give each post its answers, and return the posts that answer none of these, in their order."""
    firsts = []
    for post in posts.values():
        parent = posts.get(post.parent) if post.parent != post.id else None
        if parent is None:
            firsts.append(post)
        else:
            parent.answers.append(post)
    return firsts


def chains_from(first: Post, beyond: list[Post]) -> Iterator[list[Post]]:
    """Yield each chain of answers of two people, as long as no third one joins.

    Each answerer of a post begins a chain of their own. Answers of third people are added to `beyond`.
    """
    path: list[Post] = []
    waiting = [(first, 0, frozenset((first.author,)))]
    while waiting:
        post, depth, people = waiting.pop()
        del path[depth:]
        path.append(post)
        followed = []
        for answer in post.answers:
            both = people | {answer.author}
            if len(both) > 2 or depth + 1 >= LONGEST_CHAIN:
                beyond.append(answer)
            else:
                followed.append((answer, depth + 1, both))
        if not followed:
            yield path.copy()
        waiting += reversed(followed)


def with_answers(posts: list[Post]) -> Iterator[Post]:
    """Yield these posts and all answers to them."""
    waiting = posts.copy()
    while waiting:
        post = waiting.pop()
        yield post
        waiting += post.answers
