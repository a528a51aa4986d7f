# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.train_step: LeNet trains to the same checksum as examples/train_lenet.cpp, optimizers are
torch's, and what is refused."""
import hashlib
import os
import re
import subprocess

import numpy
import pytest
import torch

import anydml as dml

SIZES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "full1": (120, 400), "full2": (84, 120),
         "scores": (10, 84)}


def lenet(p, pictures):
    """As LeNet() of examples/train_lenet.cpp."""
    def linear(v, name):
        bias = p[name + ".bias"].broadcast_to((v.shape[0], p[name].shape[0]))
        return dml.gemm(v, p[name], bias, trans_b="transpose")

    v = pictures.astype("float32") * (1 / 255)
    for name, padding in (("conv1", 2), ("conv2", 0)):
        v = dml.convolution(v, p[name], p[name + ".bias"], start_padding=padding,
                            end_padding=padding)
        v = dml.max_pooling2(dml.relu(v), window_size=2, strides=2)
    v = v.reshape(v.shape[0], -1)
    return linear(dml.relu(linear(dml.relu(linear(v, "full1")), "full2")), "scores")


def lenet_parameters():
    p = dml.uniform_parameters(SIZES, seed=1)
    for name, shape in SIZES.items():
        p[name + ".bias"] = numpy.zeros((1, shape[0], *(1,) * (len(shape) - 2)), "float32")
    return p


def pictures(count):
    """Noise with a bright row, whose height is the label."""
    random = numpy.random.default_rng(4)
    labels = random.integers(0, 10, count).astype("uint8")
    noise = random.integers(0, 128, (count, 1, 28, 28)).astype("uint8")
    noise[numpy.arange(count), 0, 2 + 2 * labels] += 100
    return noise, labels


def write_idx(path, array):
    path.write_bytes(bytes([0, 0, 8, array.ndim]) + numpy.array(array.shape, ">u4").tobytes()
                     + array.tobytes())


def batches(steps, count=2000):
    x, labels = pictures(count)
    order = dml.shuffle(2, 0, count)
    for step in range(steps):
        chosen = order[64 * step:64 * (step + 1)]
        yield x[chosen], labels[chosen].astype("uint32")


def train(threads, steps=20):
    step = dml.train_step(lambda p, x, t: dml.cross_entropy(lenet(p, x), t), dml.Adam(2e-3),
                          device="cpu", threads=threads)
    state = step.init(lenet_parameters())
    losses = []
    for x, t in batches(steps):
        state, value = step(state, x, t)
        losses.append(value)
    return losses, state


def test_lenet_has_the_bits_of_cpp(tmp_path):
    program = os.environ.get("ANYDML_TRAIN_LENET", "")
    if not os.path.isfile(program):
        pytest.skip("ANYDML_TRAIN_LENET names no program: build example_train_lenet")
    x, labels = pictures(2000)
    for part in ("train", "t10k"):
        write_idx(tmp_path / f"{part}-images-idx3-ubyte", x.reshape(-1, 28, 28))
        write_idx(tmp_path / f"{part}-labels-idx1-ubyte", labels)
    told = subprocess.run([program, "--data", str(tmp_path), "--steps", "20"], text=True,
                          capture_output=True, check=True).stdout
    losses, state = train(threads=0)
    assert re.findall("[0-9a-f]{64}", told) == [dml.checksum(state.parameters)]
    assert losses[0] > 2 > losses[-1] and state.steps == 20


def test_threads_do_not_matter():
    one, two = (train(threads, steps=3) for threads in (1, 2))
    assert one[0] == two[0]
    assert dml.checksum(one[1].parameters) == dml.checksum(two[1].parameters)


def distance(p, x, t):
    e = dml.gemm(x, p["w"]) + p["b"] - t
    return (e * e).mean()


def problem():
    random = numpy.random.default_rng(1)
    return ({"w": random.standard_normal((3, 2)), "b": random.standard_normal(2)},
            random.standard_normal((8, 3)), random.standard_normal((8, 2)))


def as_floats(tree, kind=numpy.asarray):
    if isinstance(tree, dict):
        return {name: as_floats(entry, kind) for name, entry in tree.items()}
    return kind(tree.astype("float32"))


@pytest.mark.parametrize("ours,theirs", [
    (dml.Adam(0.01, epsilon=1e-12), lambda p: torch.optim.Adam(p, 0.01, eps=1e-12)),
    (dml.Sgd(0.1), lambda p: torch.optim.SGD(p, 0.1)),
    (dml.Sgd(0.1, 0.9), lambda p: torch.optim.SGD(p, 0.1, 0.9))])
def test_optimizers_are_torchs(ours, theirs):
    p, x, t = (as_floats(part, torch.tensor) for part in problem())
    step = dml.train_step(distance, ours)
    state = step.init(p)
    wanted = {name: torch.nn.Parameter(tensor.clone()) for name, tensor in p.items()}
    optimizer = theirs(list(wanted.values()))
    for number in range(10):
        state, value = step(state, x, t)
        optimizer.zero_grad()
        loss = ((x @ wanted["w"] + wanted["b"] - t) ** 2).mean()
        loss.backward()
        optimizer.step()
        assert value == pytest.approx(loss.item(), rel=1e-5)
    for name, tensor in state.parameters.items():
        assert isinstance(tensor, torch.Tensor)
        torch.testing.assert_close(tensor, wanted[name].detach(), rtol=1e-5, atol=1e-6)


def test_other_batches_go_on_with_moments_and_parameters():
    """A smaller last batch, then the first size again: as torch does it."""
    p, x, t = (as_floats(part) for part in problem())
    calls = []

    def loss(p, x, t):
        calls.append(x.shape)
        return distance(p, x, t)
    step = dml.train_step(loss, dml.Sgd(0.1, 0.9))
    state = step.init(p)
    wanted = {name: torch.nn.Parameter(torch.tensor(array)) for name, array in p.items()}
    optimizer = torch.optim.SGD(wanted.values(), 0.1, 0.9)
    for count in (8, 8, 3, 8, 5, 3, 2, 1, 8):
        state, _ = step(state, x[:count], t[:count])
        optimizer.zero_grad()
        batch = torch.tensor(x[:count]), torch.tensor(t[:count])
        ((batch[0] @ wanted["w"] + wanted["b"] - batch[1]) ** 2).mean().backward()
        optimizer.step()
    for name, array in state.parameters.items():
        numpy.testing.assert_allclose(array, wanted[name].detach(), rtol=1e-5, atol=1e-6)
    # Four sizes are kept: 8 was left out for the fifth, and traced again.
    assert [shape[0] for shape in calls] == [8, 3, 5, 2, 1, 8]
    assert len(state._trainers) == 4 and state.steps == 9


def test_rates_change_and_follow_schedules():
    p, x, t = (as_floats(part) for part in problem())
    step = dml.train_step(distance, dml.Sgd(7, 0.9))
    state = step.init(p)
    wanted = {name: torch.nn.Parameter(torch.tensor(array)) for name, array in p.items()}
    optimizer = torch.optim.SGD(wanted.values(), 1, 0.9)
    rate, rates = dml.Cosine(0.5, steps=2, warm_up=2), []
    for count in (8, 8, 3, 8, 3):            # other batches go on with the rate too
        state.learning_rate = rate.at(state.steps)
        rates.append(state.learning_rate)
        state, _ = step(state, x[:count], t[:count])
        optimizer.param_groups[0]["lr"] = rates[-1]
        optimizer.zero_grad()
        batch = torch.tensor(x[:count]), torch.tensor(t[:count])
        ((batch[0] @ wanted["w"] + wanted["b"] - batch[1]) ** 2).mean().backward()
        optimizer.step()
    assert rates == [0.25, 0.5, 0.5, 0.25, 0]
    for name, array in state.parameters.items():
        numpy.testing.assert_allclose(array, wanted[name].detach(), rtol=1e-4, atol=1e-5)
    assert dml.StepDecay(1, steps=3, factor=0.5).at(6) == 0.25
    assert dml.Constant(1, warm_up=2).at(0) == 0.5 and dml.Constant(1).at(9) == 1
    assert step.init(p).learning_rate == 7


@pytest.mark.parametrize("optimizer", [dml.Adam(0.01), dml.Sgd(0.1, 0.9)])
def test_a_checkpoint_goes_on_with_the_same_bits(optimizer, tmp_path):
    p, x, t = (as_floats(part) for part in problem())
    folder = tmp_path / "weights"
    step = dml.train_step(distance, optimizer)
    state = step.init(p)
    for count in (8, 8, 3):                  # the last one of an epoch is smaller
        state, _ = step(state, x[:count], t[:count])
    state.learning_rate = 0.03
    state.save(folder, position=5)
    assert hashlib.sha256((folder / "weights.bin").read_bytes()).hexdigest() == dml.checksum(
        state.parameters)
    wanted = [step(state, x, t)[1], step(state, x[:3], t[:3])[1]]

    again = dml.train_step(distance, optimizer)
    other = again.init({name: 0 * a for name, a in p.items()})
    assert other.load(folder, x[:3], t[:3]) == 5
    assert (other.steps, other.learning_rate) == (3, numpy.float32(0.03))
    found = [again(other, x, t)[1], again(other, x[:3], t[:3])[1]]
    assert found == wanted and other.steps == state.steps == 5
    assert dml.checksum(other.parameters) == dml.checksum(state.parameters)
    # Of another loss; what is refused leaves the state as it was.
    for loss, sentence in ((lambda p, x, t: distance(p, x, t) * 2, "is of another model, loss or"),
                           (distance, "manifest.json does not exist")):
        refusing = dml.train_step(loss, optimizer).init(p)
        with pytest.raises(dml.Error, match=sentence):
            refusing.load(folder if loss is not distance else tmp_path / "none", x[:3], t[:3])
        assert dml.checksum(refusing.parameters) == dml.checksum(p) and refusing.steps == 0


def test_parameters_are_copies():
    p, x, t = (as_floats(part) for part in problem())
    before = dml.checksum(p)
    step = dml.train_step(distance, dml.Sgd(0.1))
    state = step.init(p)
    assert dml.checksum(state.parameters) == before
    p["w"][:] = 7                          # the state has its own
    assert dml.checksum(state.parameters) == before
    state, _ = step(state, x, t)
    state.parameters["w"][:] = 7
    assert 7 not in state.parameters["w"] and dml.checksum(state.parameters) != before


def test_batches_of_any_kind_and_layout():
    p, x, t = (as_floats(part) for part in problem())
    step = dml.train_step(lambda p, batch, scale: distance(p, *batch) * scale, dml.Sgd(0.1))
    turned = numpy.asfortranarray(x), torch.tensor(t.T.copy()).t()
    results = []
    for batch in ((x, t), turned, (dml.to_device(x, "cpu"), torch.tensor(t))):
        state, value = step(step.init(p), batch, 0.5)
        results.append((value, dml.checksum(state.parameters)))
    assert len(set(results)) == 1
    assert step(step.init(p), (x, t), 1.0)[1] == 2 * results[0][0]


def test_first_parameters_and_checksum():
    shapes = {"b": (4,), "layers": [{"w": (3, 5)}, (2, 2, 2)]}
    p = dml.uniform_parameters(shapes, seed=3)
    w, cube = p["layers"][0]["w"], p["layers"][1]
    assert [p["b"].shape, w.shape, cube.shape] == [(4,), (3, 5), (2, 2, 2)]
    assert not p["b"].any() and p["b"].dtype == numpy.float32
    assert abs(w).max() <= numpy.sqrt(6 / 5) and len(numpy.unique(w)) == 15
    again = dml.uniform_parameters({"layers.0.w": (3, 5)}, seed=3)["layers.0.w"]
    assert again.tobytes() == w.tobytes()
    # docs/rulings.md, B145, by hand.
    text = hashlib.sha256(b"FLOAT32 4 b\n" + p["b"].tobytes() + b"FLOAT32 3 5 layers.0.w\n"
                          + w.tobytes() + b"FLOAT32 2 2 2 layers.1\n" + p["layers"][1].tobytes())
    assert dml.checksum(p) == text.hexdigest()
    assert dml.checksum(p) == dml.checksum({"layers": [{"w": torch.tensor(w)}, p["layers"][1]],
                                            "b": dml.to_device(p["b"], "cpu")})


@pytest.mark.parametrize("name,theirs", [
    ("mean_square", torch.nn.functional.mse_loss),
    ("binary_cross_entropy", torch.nn.functional.binary_cross_entropy_with_logits)])
def test_losses_are_torchs(name, theirs):
    x = torch.randn(4, 5, generator=torch.Generator().manual_seed(1)).requires_grad_()
    t = torch.rand(4, 5, generator=torch.Generator().manual_seed(2))
    expected = theirs(x, t)
    expected.backward()
    ours = getattr(dml, name)
    torch.testing.assert_close(ours(x.detach(), t), expected.detach())
    torch.testing.assert_close(dml.grad(ours)(x.detach(), t), x.grad)


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "uint32"])
def test_cross_entropy_takes_classes_of_any_integer_type(dtype):
    scores = numpy.random.default_rng(1).standard_normal((4, 3)).astype("float32")
    classes = numpy.array([2, 0, 1, 1])
    expected = torch.nn.functional.cross_entropy(torch.tensor(scores), torch.tensor(classes))
    assert dml.cross_entropy(scores, classes.astype(dtype)) == pytest.approx(expected.item(),
                                                                             rel=1e-6)


def test_classes_that_there_are_not_are_refused():
    step = dml.train_step(dml.cross_entropy, dml.Adam())
    state = step.init(numpy.zeros((4, 3), "float32"))
    with pytest.raises(dml.Error, match="is -1, and must be a class from 0 to 2"):
        step(state, numpy.array([2, 0, -1, 1]))
    assert step(state, numpy.array([2, 0, 1, 1]))[1] == pytest.approx(numpy.log(3))


P, X, T = (as_floats(part) for part in problem())


@pytest.mark.parametrize("call,sentence", [
    (lambda: dml.train_step(3, dml.Adam()), "train_step: 3 must be a function"),
    (lambda: dml.train_step(distance, "adam"), "'adam' must be an anydml.Adam or an anydml.Sgd"),
    (lambda: dml.train_step(distance, dml.Adam(), device="tpu"), "tpu"),
    (lambda: dml.train_step(distance, dml.Adam()).init({}), "there are no parameters"),
    (lambda: dml.train_step(distance, dml.Adam()).init({"w": 3}),
     "parameter w is 'int' and must be a NumPy array"),
    (lambda: dml.train_step(distance, dml.Adam())({}, X, T), "must be a state that init() of this"),
    (lambda: one_step(lambda p, x, t: x * 2), "a Value of shape (8, 3) and must return one"),
    (lambda: one_step(lambda p, x, t: 0), "the function returned 'int'"),
    (lambda: one_step(lambda p, x, t: (p["w"] * p["w"]).sum()), "does not depend on input 'b'"),
    (lambda: one_step(distance, dml.Adam(-1)), "the learning rate -1"),
    (lambda: one_step(distance, p={"w": X.astype("int32")}), "parameter w is of type int32"),
    (lambda: dml.train_step(distance, dml.Adam()).init(P).save("x"), "save: this state has made no"),
    (lambda: setattr(dml.train_step(distance, dml.Adam()).init(P), "learning_rate", -1),
     "learning_rate = -1 must be finite and at least 0"),
    (lambda: setattr(dml.train_step(distance, dml.Adam()).init(P), "learning_rate", "high"),
     "learning_rate = 'high' must be a number"),
    (lambda: dml.Cosine(0.1, steps=0).at(0), "schedule: steps = 0 must be at least 1"),
    (lambda: dml.Cosine(0.1, steps=2.5).at(0), "Cosine: steps = 2.5 must be an integer"),
    (lambda: dml.StepDecay(0.1, 5, factor=2).at(0), "schedule: factor = 2 must be from 0 to 1"),
    (lambda: dml.Constant(0.1).at(-1), "Constant: steps made = -1 must be an integer"),
    (lambda: dml.checksum({"w": X.astype("float16")}), "checksum: parameter w must be float32"),
    (lambda: dml.checksum({"w": "text"}), "parameter w is 'str'"),
    (lambda: dml.uniform_parameters({"w": 3}), "w = 3 must be a shape"),
    (lambda: dml.uniform_parameters({"w": (0, 3)}), "w = (0, 3) must be a shape"),
    (lambda: dml.uniform_parameters({"w": (3, 3)}, seed=-1), "seed = -1 must be an integer"),
    (lambda: dml.shuffle(1, 0, 2**40), "count = 1099511627776 must be an integer"),
    (lambda: dml.cross_entropy(X, T), "cross entropy: scores of sizes {8, 3} need classes")])
def test_refusals(call, sentence):
    with pytest.raises(dml.Error) as refusal:
        call()
    assert sentence in str(refusal.value)


def one_step(loss, optimizer=dml.Adam(), p=None):
    step = dml.train_step(loss, optimizer)
    return step(step.init(p or P), X, X[:, :2] if p else T)
