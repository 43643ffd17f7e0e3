import { drawInvoice, drawVoidInvoice } from './domains/invoices/service/invoice-pdf-layout.ts';
import { drawStatement } from './domains/invoices/service/statement-pdf-layout.ts';
import { drawEarningsReport } from './domains/reports/service/earnings-pdf-layout.ts';

/** Entry point of the threads that draw PDFs; `PdfRenderer` calls the default export. */

const drawFunctions = { drawInvoice, drawVoidInvoice, drawStatement, drawEarningsReport };
export type PdfDrawFunctions = typeof drawFunctions;

interface Task {
  name: keyof PdfDrawFunctions;
  input: never;
}

/** Returns a copy, because a Buffer may be a view of a larger ArrayBuffer, all of which would be sent. */
export default async ({ name, input }: Task): Promise<Uint8Array> =>
  new Uint8Array(await drawFunctions[name](input));
