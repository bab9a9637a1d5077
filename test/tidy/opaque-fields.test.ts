import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFileRegistry, type DescMessage, fromBinary, ScalarType } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const image = readFileSync(join(__dirname, "../../proto/gen/image.binpb"));
const messages = [...createFileRegistry(fromBinary(FileDescriptorSetSchema, image))].filter(
  (one): one is DescMessage => one.kind === "message" && one.typeName.startsWith("corridor."),
);

/** Why the field of a message is bytes and no message of its own. */
const reasons: Readonly<Record<string, string>> = {
  "auth.v1.AskApprovalRequest.body": "an operator's command waits as it was received",
  "auth.v1.GetApprovalResponse.body": "an operator's command waits as it was received",
  "auth.v1.GetKeySetResponse.jwks_json": "RFC 7517 defines the document",
  "common.v1.Call.request": "the encoded request of any method",
  "common.v1.Answer.body": "the encoded response of any method",
  "identity.v1.ReadDocumentPartResponse.content": "a file",
  "identity.v1.ReceiveDocumentReportRequest.body": "a signature covers the bytes",
  "identity.v1.ReceiveKycReportRequest.body": "a signature covers the bytes",
  "identity.v1.ReceiveScreeningReportRequest.body": "a signature covers the bytes",
  "identity.v1.SessionDetails.metadata_json": "the caller's own, which is not read",
  "identity.v1.UploadDocumentRequest.content": "a file",
  "payment.v1.ReceiveCallbackRequest.body": "a signature covers the bytes",
  "schema.v1.GetFormResponse.document_json": "a published document",
  "schema.v1.GetPersonSchemaResponse.document_json": "a published document",
  "schema.v1.GetSchemaResponse.document_json": "a published document",
  "wallet.v1.OpenWalletIntent.additional_info_json": "the caller's own, which is not read",
  "wallet.v1.Wallet.additional_info_json": "the caller's own, which is not read",
};

describe("fields that are bytes", () => {
  it("are these, each for its reason; everything else is typed", () => {
    const opaque = messages.flatMap(({ typeName, fields }) =>
      fields
        .filter(({ scalar }) => scalar === ScalarType.BYTES)
        .map(({ name }) => `${typeName.slice("corridor.".length)}.${name}`),
    );

    expect(opaque.sort()).toEqual(Object.keys(reasons).sort());
  });
});
