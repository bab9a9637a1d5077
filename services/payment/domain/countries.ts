import { alpha3ToAlpha2, isValid } from "i18n-iso-countries";

/** True for an ISO 3166-1 alpha-2 code. */
export const isAlpha2 = (code: string): boolean => /^[A-Z]{2}$/.test(code) && isValid(code);

/** True for an ISO 3166-1 alpha-3 code. */
export const isAlpha3 = (code: string): boolean => /^[A-Z]{3}$/.test(code) && alpha3ToAlpha2(code) !== undefined;
