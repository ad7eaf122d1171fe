llama-server -m bartowski_Meta-Llama-3-8B-Instruct-Q4_K_M.gguf -c 4096 -ngl 99
