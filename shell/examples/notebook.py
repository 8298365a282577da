# %% [markdown]
# # A classifier from patients' records that may be published
#
# Cells of a notebook in a plain file: open it in Jupyter or an editor that knows `# %%`, or run it as a program.

# %% Private records, public records without labels, and a test
import tempfile

import fumata
import numpy
from pandas import DataFrame
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

dice = numpy.random.default_rng(1)


def clinic(n):
    table = DataFrame({"age": dice.normal(50, 15, n), "pressure": dice.normal(120, 20, n),
                       "ward": dice.choice(["north", "south", "east"], n)})
    risk = (table.age - 50) / 15 + (table.pressure - 120) / 20 + (table.ward == "south") * 1.5
    return table, numpy.where(risk + dice.normal(0, 0.5, n) > 0.5, "sick", "well")


private, diagnosis = clinic(20000)
public, _ = clinic(3000)
test, truth = clinic(2000)

# %% Any scikit-learn estimator: here one that goes by the names of columns
estimator = make_pipeline(make_column_transformer((StandardScaler(), ["age", "pressure"]),
                                                  (OneHotEncoder(handle_unknown="ignore"), ["ward"])), LogisticRegression())

# %% What the budget buys, before anything is spent
plan = fumata.plan(epsilon="2", delta="1e-5", silences=100)
print(plan)
print("chance of silence, by how far ahead the winner is:", {d: round(plan.silence(d), 3) for d in (50, 100, 126, 150)})

# %% Learn. The private records meet the teachers only; the student sees public rows and released labels
with tempfile.TemporaryDirectory() as folder:
    model = fumata.PrivateClassifier(estimator, classes=["well", "sick"], plan=plan, teachers=400,
                                     ledger=folder + "/clinic.ledger")
    model.fit(private, diagnosis, X_public=public)
print(f"{model.n_labels_} labels and {model.n_silences_} silences from {model.n_asked_} public rows")

# %% Use it as any classifier: it costs nothing more
score = model.score(test, truth)
print(f"right on {100 * score:.1f} % of the test; most common class {100 * max(numpy.mean(truth == c) for c in model.classes_):.1f} %")
print(model.predict_proba(test[:3]).round(3))

# %% What was spent, as numbers for an accountant that adds up all releases on these records
epsilon, delta = model.spent_
print(f"spent: epsilon {epsilon:g}, delta {delta:g}; with another release of (0.5, 1e-6): {epsilon + 0.5:g}, {delta + 1e-6:g}")
assert score > 0.8 and model.n_labels_ > 300
