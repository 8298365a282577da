"""Whether an edited definition means something else: an argument at which it, or for Statement.v what uses it, computes
another value than before. Arguments are drawn from values at which definitions decide, the same ones on every run."""
import random
import re

SAMPLES = 400
WORDS = [0, 1, 2, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1, 10**18, 3 * 2**62, 7 * 2**61]
SMALL = [0, 1, 2, 3, 4, 5, 7]
# By the name of an argument or a field; what is not named here is a word, or, half of the time, small.
POOLS = {
    "number_mantissa": [2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32 - 2], "number_exponent": [-40, -33, -32, -31, -1, 0, 1, 31],
    "claim_epsilon_num": [0, 1, 3, 20, 60], "claim_epsilon_den": [0, 1, 3], "claim_delta_num": [0, 1, 99, 100],
    "claim_delta_den": [0, 100, 1000], "claim_alpha": [1, 2, 3, 4, 4096, 4097], "claim_v": [0, 2**32 - 1, 2**32, 2**34],
    "claim_u": [0, 2**32 - 1, 2**32, 2**34], "limit": [0, 1, 2, 5, 999999, 1000000, 1000001], "alpha": [1, 2, 3, 4, 7],
    "width": [-2**40 - 1, -2**40, -1, 0, 2, 2**40, 2**40 + 1], "kind": list(range(0, 14)), "status": list(range(-12, 1)),
    "classes": [0, 1, 2, 3, 255, 256, 257, 65536, 65537], "teachers": [0, 1, 2, 65535, 65536, 2**20, 2**20 + 1],
    "winner": SMALL + [255, 256, 65535, 65536], "loser": SMALL + [255, 256, 65535, 65536], "gap": SMALL + [8, 9],
    "result": [-2**40, -3, -1, 0, 1, 2**40], "count": [0, 1, 2**40 - 1, 2**40, 2**40 + 1], "sensitivity": [0, 1, 2, 1000, 1001],
    "e": [-40, -1, 0, 1], "least": [1, 2**31, 2**32], "factor": [2, 4], "threshold": [-2, -1, 0, 1, 3], "first": [-1, 0, 2],
    "z": [-1, 0, 1, 2, 3], "range": [0, 31, 32, 40], "low": [-40, 0], "high": [0, 31]}
COUNTED = {"n", "i", "j", "d", "y", "c", "a_size", "size", "size_a", "size_b", "places", "shift", "index", "left", "reserved",
           "distance", "silences", "answers"}
TABLES = [[], [2**63], [2**64 - 1], [2**63 + 5, 2**63 + 5, 2**64 - 2], [9 * 10**18, 8 * 10**18, 10**18], [1, 2], [5, 0], [2, 2, 1],
          [10**18, 5 * 10**18, 15 * 10**18], [3, 1, 2, 0], [6, 6, 1], [0, 1, 1, 2, 7], [2**63 - 1, 2**63]]

# Statement.v: what its definitions compute, on a few inputs each.
STATEMENT = """
Definition v0 := [0; 1; 1; 2; 2; 2; 2; 2; 2; 5; 9]. Definition v1 := [1; 1; 1; 1; 0; 0; 0; 7]. Definition v2 := [2; 0; 0; 0; 0; 1].
Definition looks (q : nat) : verdict * duel := (Build_verdict q (q mod 4), Build_duel q (q + 1) (q mod 3)).
Definition next (seen : list answer) : option (@move nat) := Some match length seen mod 9 with
  0 => Act (Reserve 2) (Reserve 1) | 1 | 2 => Ask (length seen) | 3 | 4 => Buy (length seen) | 5 => Act Close (Reserve 0)
  | 6 => Act (Reserve 1) Crash | 7 => Buy 1 | _ => Ask 0 end.
Definition us := flat_map (fun i => [0; 2 ^ 63 - 1; 2 ^ 63; 2 ^ 63 + i; 2 ^ 64 - 1; 10 ^ 18; 15 * 10 ^ 18; i]%Z) [1; 2; 3; 4; 5]%Z.
Definition noise := Build_fumata_noise [10 ^ 18; 5 * 10 ^ 18; 15 * 10 ^ 18]%Z (-1)%Z.
Definition cp := Build_fumata_classic_plan noise noise 0%Z 3%Z.
Definition bp := Build_fumata_budget_plan (Build_fumata_meter_plan [15 * 10 ^ 18; 10 ^ 18]%Z 4%Z)
  (Build_fumata_toll_plan [10 ^ 19; 15 * 10 ^ 18]%Z 5%Z).
Definition vote (i : nat) (rows : list (Z * row nat nat)) (q : nat) := (i + q + length rows) mod 3.
Definition teach := Build_run nat nat nat 1 3 3 vote.
Definition word (n k : nat) := (Z.of_nat (5 * n + 3 * k + 1) * 2 ^ 60 mod 2 ^ 64)%Z.
Eval vm_compute in (map (fun v => (decide 3 v, decide 1 v, gap (counts v) 3, plurality (counts v) 4, runner_up (counts v) 4 2,
  counts v 2, confront 0 1 v, confront 2 1 v, confront 1 2 v)) [v0; v1; v2], map distance_of_gap (seq 0 12)).
Eval vm_compute in (map (fun w => (place 7 w, place 1 w)) us, map (fun i => chunk 3 (word 1) i [(0, 1); (1, 2); (2, 3); (5, 4)]) (seq 0 3),
  map (fun q => sight word [(0, 1); (1, 2); (2, 3); (5, 4)] (teach, q, (0, 2))) (seq 0 4)).
Eval vm_compute in (tuples [1; 2; 3] 2, below 4, words, secrets_shape, word_of [[1; 2]; [3; 4]]%Z 1 0).
Eval vm_compute in (map (fun d => map (fun u => (is_silent [15 * 10 ^ 18; 10 ^ 18]%Z d u, is_named [10 ^ 19; 15 * 10 ^ 18]%Z d u,
  entry [3; 2; 1]%Z d, draw noise u, map (fun j => classic_silent cp j d u) (seq 0 4))) us) (seq 0 5)).
Eval vm_compute in (map (fun a => map (fun p => (tend a p, use p)) [Build_purse 0 0; Build_purse 3 0; Build_purse 2 1; Build_purse 1 2])
  [Reserve 0; Reserve 1; Reserve 3; Reserve 4; Crash; Close],
  map (fun a => map (classic_act cp a) [(0, None, us); (2, None, us); (2, Some 1, us); (1, None, [])]) [Reserve 0; Reserve 2; Crash; Close]).
Eval vm_compute in (map (fun M => alone 42 next (live M looks (start M) us) []) [both bp; meter (budget_plan_meter bp);
  toll (budget_plan_toll bp); classic cp us], alone 2 (fun l => if 1 <? length l then None else Some 3)
  (through (Nat.add 1) (Nat.mul 2) (once 7)) [0]).
""".replace("secrets_shape", "length (tuples (tuples [1; 2] 2) 2)")


class Signatures:
    """The computable definitions of generated files, and the records that they take."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.records: dict[str, list[tuple[str, str]]] = {}
        self.built: dict[str, str] = {}
        self.found: dict[str, tuple[list[tuple[str, str]], str]] = {}
        for text in (text for stem, text in texts.items() if stem.startswith("Spec")):
            for name, built, body in re.findall(r"^Record (\w+) := (\w*) ?\{(.*?)\}\.", text, re.S | re.M):
                self.records[name] = re.findall(r"(\w+) : ([\w ]+)", body)
                self.built[name] = built or "Build_" + name
            for name, binders, _ in re.findall(r"^Definition (Fumata\w+)((?: \(\w+ : [\w ]+\))*) : (Z|bool|fumata_number) :=",
                                               text, re.M):
                plain = name[:-2] if name.endswith("_b") else name
                self.found[plain] = (re.findall(r"\((\w+) : ([\w ]+)\)", binders), name)

    def value(self, chance: random.Random, name: str, kind: str, used: list[int]) -> str:
        if kind == "list Z":
            return "[" + "; ".join(map(str, chance.choice(TABLES))) + "]"
        if kind in self.records:
            return f"({self.built[kind]} " + " ".join(self.value(chance, *field, used) for field in self.records[kind]) + ")"
        return f"({self.number(chance, name, used)})"

    def number(self, chance: random.Random, name: str, used: list[int]) -> int:
        short = name.rsplit("_", 1)[-1]
        pool = POOLS.get(name) or POOLS.get(short)
        if name in COUNTED or short in COUNTED:
            return chance.choice(SMALL)
        if pool:
            return chance.choice(pool)
        if used and chance.random() < 0.4:
            return max(0, chance.choice(used) + chance.choice([-1, 0, 0, 1]))
        used.append(chance.choice(WORDS if chance.random() < 0.7 else SMALL))
        return used[-1]

    def probe(self, name: str) -> str | None:
        """The text that computes this definition at every sample; None when it does not compute."""
        if name not in self.found:
            return None
        binders, called = self.found[name]
        chance = random.Random(name)
        calls = []
        counting = any(name in ("counts", "votes") for name, _ in binders)  # labels and counts, all of them small
        for _ in range(SAMPLES if binders else 1):
            used: list[int] = []
            if counting:
                calls.append(" ".join([called] + [f"({chance.choice(SMALL[:4])})" if kind == "Z" else
                                                  self.value(chance, name, kind, used) for name, kind in binders]))
                continue
            calls.append(" ".join([called] + [self.value(chance, *binder, used) for binder in binders]))
        return "Eval vm_compute in [" + ";\n ".join(calls) + "]."

