import { writeFileSync } from "node:fs";
import { readmeWithTable } from "../chart/values-table";

/** Writes the table of all values into the README of the chart. */
const { file, wanted } = readmeWithTable();
writeFileSync(file, wanted);
