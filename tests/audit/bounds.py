"""What counts of an event on two sides say about epsilon, with confidence; bounds.c does the same for the core."""
from math import ceil, exp, lgamma, log, log1p

RISK = 1e-6  # of a false alarm, for each bound


def upper_tail(hits: int, trials: int, share: float) -> float:
    """The chance of this number of hits or more."""
    if share <= 0:
        return 0.0
    ways = [lgamma(trials + 1) - lgamma(n + 1) - lgamma(trials - n + 1) for n in range(hits, trials + 1)]
    return sum(exp(way + n * log(share) + (trials - n) * log1p(-share)) for n, way in enumerate(ways, hits))


def least(hits: int, trials: int, risk: float) -> float:
    """Clopper and Pearson: the probability is at least this, but for a chance of `risk`."""
    low, high = 0.0, hits / trials * (1 - 1e-12)
    for _ in range(50 if hits else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(hits, trials, middle) < risk else (low, middle)
    return low if hits else 0.0


def shown(first: int, second: int, trials: int, delta: float) -> float:
    """The least epsilon, at delta, of an event that was seen so often on either side."""
    low, high = least(first, trials, RISK / 2) - delta, 1 - least(trials - second, trials, RISK / 2)
    return max(0.0, log(low / high)) if low > 0 else 0.0


def epsilon(here: list[int], there: list[int], delta: float) -> float:
    """A lower bound of epsilon from outcomes (numbers) on two sides: the first half chooses the event, a number or more
    (or less), the second half judges it."""
    half, best = len(here) // 2, 0.0
    for first, second in ((here, there), (there, here)):
        for sign in (1, -1):
            one, two = [sign * x for x in first], [sign * x for x in second]

            def gain(cut: int, one: list[int] = one, two: list[int] = two) -> float:
                hits, misses = sum(x >= cut for x in one[:half]), sum(x >= cut for x in two[:half])
                low = hits - ceil(4 * (hits + 1) ** 0.5) - delta * half
                return log(low / (misses + 4 * (misses + 1) ** 0.5)) if low > 0 else -1e9

            cut = max(set(one[:half]), key=gain)
            best = max(best, shown(sum(x >= cut for x in one[half:]), sum(x >= cut for x in two[half:]),
                                   len(one) - half, delta))
    return best


def exact(first: list[float], second: list[float], delta: float) -> float:
    """The smallest epsilon at which two laws are within (epsilon, delta) of each other."""
    low, high = 0.0, 64.0
    for _ in range(60):
        middle = (low + high) / 2
        excess = max(sum(max(0.0, p - exp(middle) * q) for p, q in zip(one, two))
                     for one, two in ((first, second), (second, first)))
        low, high = (low, middle) if excess <= delta else (middle, high)
    return low
