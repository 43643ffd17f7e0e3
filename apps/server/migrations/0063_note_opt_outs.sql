-- Families can stop the emails with notes.
alter table reminder_opt_outs
  drop constraint reminder_opt_outs_kind_check,
  add constraint reminder_opt_outs_kind_check check (kind in ('lesson_reminder', 'payment_reminder', 'lesson_notes'))
    not valid;
