"""A client of Corridor's gRPC services, made by Debian's python3-grpc-tools from the compiled proto files alone.

Reads a JSON object from standard input: `image` (the compiled proto files), `folder` (an empty one, for the generated code) and
`addresses` (service name to host:port). Writes what came of it as one JSON object.
"""

import importlib
import json
import pathlib
import sys

import grpc
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

asked = json.load(sys.stdin)
folder = pathlib.Path(asked["folder"])
image = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(asked["image"]).read_bytes())
files = [file for file in image.file if file.name.startswith("corridor/")]

arguments = ["protoc", "--descriptor_set_in=" + asked["image"], f"--python_out={folder}", f"--grpc_python_out={folder}"]
if protoc.main(arguments + [file.name for file in files]) != 0:
    sys.exit("the proto files do not compile")
sys.path.insert(0, str(folder))


FILE_OF = {f".{file.package}.{message.name}": file.name for file in files for message in file.message_type}


def module_of(name, kind):
    return importlib.import_module(name.removesuffix(".proto").replace("/", ".") + kind)


def codes_of_empty_calls():
    """Calls every unary method of every service with an empty message and returns the status of each."""
    codes = {}
    for file in files:
        package = file.package.split(".")[1]
        if package not in asked["addresses"]:
            continue
        channel = grpc.insecure_channel(asked["addresses"][package])
        for service in file.service:
            stub = getattr(module_of(file.name, "_pb2_grpc"), service.name + "Stub")(channel)
            for method in service.method:
                if method.client_streaming or method.server_streaming:
                    continue
                messages = module_of(FILE_OF[method.input_type], "_pb2")
                request = getattr(messages, method.input_type.rsplit(".", 1)[-1])()
                try:
                    getattr(stub, method.name)(request, timeout=60)
                    codes[f"{service.name}/{method.name}"] = "OK"
                except grpc.RpcError as error:
                    codes[f"{service.name}/{method.name}"] = error.code().name
        channel.close()
    return codes


def fields_in(error):
    """Returns the fields that a refusal names, from the entry of the metadata where gRPC has details."""
    errors = module_of("corridor/common/v1/error_reason.proto", "_pb2")
    [entry] = [value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    [detail] = errors.CallStatus.FromString(entry).details
    refusal = errors.ErrorDetail()
    if not detail.Unpack(refusal):
        sys.exit("the detail of the status is no ErrorDetail")
    return [violation.field for violation in refusal.violations]


def wallet_story():
    """Opens a wallet, credits it twice under one id, and reads what it has."""
    messages = module_of("corridor/wallet/v1/wallet_service.proto", "_pb2")
    money = module_of("corridor/common/v1/money.proto", "_pb2")
    channel = grpc.insecure_channel(asked["addresses"]["wallet"])
    wallets = module_of("corridor/wallet/v1/wallet_service.proto", "_pb2_grpc").WalletServiceStub(channel)
    intent = messages.OpenWalletIntent(**asked["wallet"])
    opened = wallets.CreateWallet(messages.CreateWalletRequest(tenant=asked["tenant"], wallet=intent), timeout=60)
    wallet_id = opened.wallet.wallet_id
    credit = messages.CreateTransactionRequest(
        tenant=asked["tenant"],
        transaction=messages.WalletTransactionIntent(
            external_id="from-python",
            wallet_id=wallet_id,
            amount=money.Decimal(unscaled=1050, scale=2),
            direction=messages.DIRECTION_CREDIT,
        ),
    )
    try:
        wallets.CreateTransaction(messages.CreateTransactionRequest(tenant=asked["tenant"]), timeout=60)
        sys.exit("a transaction of nothing was taken")
    except grpc.RpcError as error:
        refused = fields_in(error)
    first = wallets.CreateTransaction(credit, timeout=60)
    again = wallets.CreateTransaction(credit, timeout=60)
    balance = wallets.GetBalance(messages.GetBalanceRequest(tenant=asked["tenant"], wallet_id=wallet_id), timeout=60)
    return {
        "refused": refused,
        "replayed": [first.replayed, again.replayed],
        "same": first.transaction.SerializeToString() == again.transaction.SerializeToString(),
        "balance": [balance.balance.available.amount_minor, balance.balance.available.currency],
    }


print(json.dumps({"codes": codes_of_empty_calls(), "wallet": wallet_story()}))
