"""Causal language models on onnxruntime alone: a GGUF file in, how likely each word piece comes next out."""
