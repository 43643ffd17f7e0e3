/** The address that a family opens: nobody needs to be signed in there. */
export const linkOf = (token: string): string =>
  new URL(`/invoices/${token}`, window.location.origin).href;

export const pdfOf = (id: number): string => `/api/invoices/${id}.pdf`;
