/** What the address of the schedule says. */
export interface ScheduleSearch {
  view?: 'students' | 'subjects';
  board?: 'week';
  date?: string;
}
