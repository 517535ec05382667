"""A real llama.cpp server for tests: serve.py MODEL SLOTS CONTEXT [HOST:]PORT [KEY]

Prints its address. It ends when its standard input is closed.
"""

import os
import sys

import xllamacpp

model, slots, context = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
host, _, port = sys.argv[4].rpartition(":")
params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {"bigram"}
params.hostnames = [host or "127.0.0.1"]
params.port = int(port)
params.n_ctx = context
params.n_parallel = slots
params.warmup = False
params.cpuparams.n_threads = 1
if len(sys.argv) > 5:
    params.api_keys = [sys.argv[5]]
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
