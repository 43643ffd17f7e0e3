-- Set with the status 'left'. Students who left before this migration have no dates.
alter table students
  -- The last day with lessons, which may be to come.
  add column left_on date,
  -- The last day on which the contacts see the student in the family portal. Null means that their access does not end.
  add column portal_ends_on date;
