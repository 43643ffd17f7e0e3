/** One kind of thing in the export: a table, the columns that go along, and why the others stay. */
export interface Kind {
  readonly table: string;
  readonly columns: readonly string[];
  readonly leftOut?: Readonly<Record<string, string>>;
}
