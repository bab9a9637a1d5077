import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { CaseServiceService } from "../../../proto/gen/corridor/payment/v1/case_service";
import { CheckServiceService } from "../../../proto/gen/corridor/payment/v1/check_service";
import { PaymentListServiceService } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { PaymentServiceService } from "../../../proto/gen/corridor/payment/v1/payment_service";

/** The services that the payment service serves. */
export const paymentServices = {
  ...PaymentServiceService,
  ...PaymentListServiceService,
  ...CheckServiceService,
  ...CaseServiceService,
  ...BusServiceService,
  ...KeyServiceService,
};
