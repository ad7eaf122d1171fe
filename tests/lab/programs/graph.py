"""Distances between all nodes of a graph. Argument: --nodes N."""

import argparse

import networkx

parser = argparse.ArgumentParser()
parser.add_argument("--nodes", type=int, default=100)
args = parser.parse_args()
graph = networkx.path_graph(args.nodes)
print(f"graph of {graph.number_of_nodes()} nodes, computing all pairs", flush=True)
distances = dict(networkx.all_pairs_shortest_path_length(graph))
print(len(distances), "done")
