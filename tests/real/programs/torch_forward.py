"""A convolution whose output is beyond the limit of the process."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 64, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x))


def main():
    net = Net()
    net(torch.rand(64, 3, 640, 640))


main()
