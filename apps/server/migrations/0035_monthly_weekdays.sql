-- Lessons on the second Tuesday or the last Sunday of each month.
alter table lessons
  drop constraint lessons_pattern_check,
  add constraint lessons_pattern_check check (pattern in
    ('weekly', 'biweekly', 'monthly', 'monthly_weekday', 'monthly_last_weekday')) not valid;
