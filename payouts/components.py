"""Strongly connected components of a graph (Tarjan, SIAM J. Comput. 1, 1972), without recursion."""

from collections.abc import Collection, Iterator, Sequence


def components(following: Sequence[Collection[int]]) -> list[tuple[int, ...]]:
    """Find the components of a graph, each after all that can be reached from it.

    Parameters
    ----------
    following
        For each node the nodes that follow it.

    Examples
    --------
    >>> components([[1], [0, 2], [2]])
    [(2,), (0, 1)]
    """
    order: list[int] = [-1] * len(following)
    low = [0] * len(following)
    stack: list[int] = []
    on_stack = [False] * len(following)
    found: list[tuple[int, ...]] = []
    counter = 0
    for root in range(len(following)):
        if order[root] >= 0:
            continue
        work: list[tuple[int, Iterator[int]]] = [(root, iter(following[root]))]
        order[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on_stack[root] = True
        while work:
            node, rest = work[-1]
            after = next((each for each in rest if order[each] < 0 or on_stack[each]), None)
            if after is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    found.append(_unstack(stack, on_stack, node))
            elif order[after] < 0:
                order[after] = low[after] = counter
                counter += 1
                stack.append(after)
                on_stack[after] = True
                work.append((after, iter(following[after])))
            else:
                low[node] = min(low[node], order[after])
    return found


def _unstack(stack: list[int], on_stack: list[bool], node: int) -> tuple[int, ...]:
    members: list[int] = []
    while not members or members[-1] != node:
        members.append(stack.pop())
        on_stack[members[-1]] = False
    return tuple(sorted(members))
