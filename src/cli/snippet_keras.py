import keras  # paste behind building `model`, and edit the next line: an input for each that it takes
INPUTS = [keras.Input((224, 224, 3), dtype="float32")]  # the shape of one sample. Nothing is computed
given = INPUTS[0] if len(INPUTS) == 1 else INPUTS
layered = isinstance(model, keras.Sequential) or getattr(model, "inputs", None)
outputs = model(given) if layered else model.call(given)  # a model of a class of its own: the layers that it calls
with open("model.json", "w") as file:
    file.write(keras.Model(INPUTS, outputs).to_json())
