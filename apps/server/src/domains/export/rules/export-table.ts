/** One kind of thing in the export: a table, the columns that go along, and why the others stay. */
export interface ExportTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly excluded?: Readonly<Record<string, string>>;
}
