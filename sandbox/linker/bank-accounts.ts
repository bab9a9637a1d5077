/** One account of a customer at the simulated bank. */
export interface BankAccount {
  accountId: string;
  name: string;
  officialName: string;
  subtype: "checking" | "savings";
  accountNumber: string;
  effect: string;
}

export const routingNumber = "021000021";
export const institution = { institution_id: "ins_sandbox", institution_name: "First Sandbox Bank" };

/** The accounts that every linked customer has. */
export const bankAccounts: readonly BankAccount[] = [
  {
    accountId: "acc-checking",
    name: "Everyday Checking",
    officialName: "First Sandbox Bank Everyday Checking",
    subtype: "checking",
    accountNumber: "1111222233330000",
    effect: "debits settle",
  },
  {
    accountId: "acc-savings",
    name: "Rainy Day Savings",
    officialName: "First Sandbox Bank Rainy Day Savings",
    subtype: "savings",
    accountNumber: "1111222233331111",
    effect: "debits settle",
  },
  {
    accountId: "acc-empty",
    name: "Empty Checking",
    officialName: "First Sandbox Bank Empty Checking",
    subtype: "checking",
    accountNumber: "000000001",
    effect: "debits come back: insufficient funds",
  },
  {
    accountId: "acc-closed",
    name: "Closed Checking",
    officialName: "First Sandbox Bank Closed Checking",
    subtype: "checking",
    accountNumber: "000000003",
    effect: "debits are rejected: no such account",
  },
];
