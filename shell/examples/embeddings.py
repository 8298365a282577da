"""Makes up messages and embeds them: embeddings.py FOLDER writes private.npy, labels.npy, public.npy and later.npy, later_labels.npy.

Hashed words, then a singular value decomposition that is fitted on the public messages alone: what private messages say must not
decide where they lie."""
import sys

import numpy
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import HashingVectorizer

WORDS = {"billing": "invoice charge refund card paid twice amount bank statement fee receipt",
         "broken": "crash error screen restart update frozen slow install version log button",
         "praise": "thanks great love happy works perfect recommend friendly quick best smile"}
FILLER = "the a my your please since today again still with it they we is was and but very account phone order".split()


def messages(count, chance):
    """Texts and their classes; two messages in ten are mostly about something else."""
    kinds = list(WORDS)
    for _ in range(count):
        kind = int(chance.integers(len(kinds)))
        about = kind if chance.random() < 0.8 else int(chance.integers(len(kinds)))
        said = list(chance.choice(FILLER, 9)) + list(chance.choice(WORDS[kinds[kind]].split(), 2)) + list(chance.choice(WORDS[kinds[about]].split(), 2))
        chance.shuffle(said)
        yield " ".join(said), kind


def main(folder):
    chance = numpy.random.default_rng(3)
    parts = {"private": 12000, "public": 3000, "later": 2000}
    texts = {name: list(messages(count, chance)) for name, count in parts.items()}
    words = HashingVectorizer(n_features=2**14, alternate_sign=False)
    axes = TruncatedSVD(24, random_state=0).fit(words.transform(text for text, _ in texts["public"]))
    for name, pairs in texts.items():
        numpy.save(f"{folder}/{name}.npy", axes.transform(words.transform(text for text, _ in pairs)).astype(numpy.float32))
    numpy.save(f"{folder}/labels.npy", numpy.array([kind for _, kind in texts["private"]]))
    numpy.save(f"{folder}/later_labels.npy", numpy.array([kind for _, kind in texts["later"]]))


if __name__ == "__main__":
    main(sys.argv[1])
