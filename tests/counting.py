"""What the server of a test has counted: numbers of the whole process, so look at differences."""

from server import metrics


def counted(sample: str, **labels: str) -> float:
    """Give the number of one sample, such as `canfield_moves_total` with `outcome="ack"`."""
    for metric in metrics.collect():
        for one in metric.samples:
            if (one.name, one.labels) == (sample, labels):
                return float(one.value)
    raise LookupError(f"nothing counts {sample} {labels}")
