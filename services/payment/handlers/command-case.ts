import type { CommandCaseRequest, CommandCaseResponse } from "../../../proto/gen/corridor/payment/v1/case_service";
import type { CommandCase } from "../operations/command-case";
import { decodeCommand, encodeCase } from "./case-codec";

export const commandCaseHandler =
  (commandCase: CommandCase) =>
  async (request: CommandCaseRequest): Promise<CommandCaseResponse> => ({
    case: encodeCase(await commandCase(decodeCommand(request))),
  });
