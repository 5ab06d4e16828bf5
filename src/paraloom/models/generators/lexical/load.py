"""What lies on this machine in, a lexical generator out."""

from __future__ import annotations

from pathlib import Path

from paraloom.models.embedders import load_embedder
from paraloom.models.generators.lexical.fluency import Fluency, NgramFluency
from paraloom.models.generators.lexical.generator import LexicalGenerator
from paraloom.models.generators.lexical.options import LexicalOptions
from paraloom.models.generators.lexical.phrase_table import PhraseTable, PhraseTableOptions
from paraloom.models.generators.lexical.substitutes import Substitutes, built_in
from paraloom.models.generators.lexical.wordnet import FILE, Wordnet, WordnetOptions
from paraloom.models.shelf import find_model


def load_lexical(
    *,
    phrases: Path | None = None,
    meteor: bool = False,
    sentences: Path | None = None,
    fluency: Fluency | None = None,
    find: bool = True,
    embedder: str = "fast",
    options: LexicalOptions = LexicalOptions(),
    wordnet_options: WordnetOptions = WordnetOptions(),
    phrase_options: PhraseTableOptions = PhraseTableOptions(),
) -> LexicalGenerator:
    """The hand-written entries, with WordNet where it was fetched and a phrase table where one is given or found.

    `phrases` is a phrase table (see `phrase_table`), `sentences` a file to learn a model of n-grams from, one sentence
    a line. Without it, and without `fluency`, the model learns from WordNet's glosses and examples; where there is no
    WordNet either, there is no language model. With `find` off, only what is given is used. An empty `embedder` uses
    none. METEOR's phrase table, which comes with an extra, is used where `meteor` asks for it: it takes a quarter of a
    minute to read, and was learned from speeches in a parliament, where a president is a chairman.
    """
    substitutes: list[Substitutes] = [built_in()]
    found = find_model("wordnet") if find else None
    wordnet = Wordnet(found / FILE) if found else None
    if wordnet is not None:
        substitutes.append(wordnet.thesaurus(wordnet_options))
    if phrases is not None:
        substitutes.append(PhraseTable.read(phrases, phrase_options))
    if meteor:
        substitutes.append(PhraseTable.read(_meteor_table(), phrase_options))
    if fluency is None and sentences is not None:
        fluency = NgramFluency.read(sentences)
    elif fluency is None and wordnet is not None:
        fluency = NgramFluency.of(wordnet.sentences(), name="wordnet")
    return LexicalGenerator(
        substitutes, fluency, embedder=load_embedder(embedder) if embedder else None, options=options
    )


def _meteor_table() -> Path:
    from paraloom.metrics.meteor.files import meteor_files

    return meteor_files().paraphrases
