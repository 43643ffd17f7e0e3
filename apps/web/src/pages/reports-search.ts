/** What stands in the address of the reports. */
export interface ReportsSearch {
  show?: 'owed';
  period?: string;
}
