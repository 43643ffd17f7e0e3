-- needs-stop
-- A policy has several steps and versions; the previous release reads one step.

-- Forced row-level security would hide the rows from the owner role; it is forced again at the end.
alter table cancellation_policies no force row level security;

alter table cancellation_policies
  -- The first lesson date for which this version counts.
  add column starts_on date not null default '1900-01-01',
  -- [{"noticeHours": 24, "dayBeforeTime": null, "feePercent": 100}]
  add column tiers jsonb not null default '[]' check (jsonb_typeof(tiers) = 'array'),
  -- For each student and term.
  add column free_late_cancellations integer not null default 0 check (free_late_cancellations between 0 and 10),
  add column illness_note text,
  -- Sessions that were booked before keep the earlier version if it is milder.
  add column created_at timestamptz not null default '1900-01-01 00:00:00Z';

update cancellation_policies
set tiers = jsonb_build_array(
  jsonb_build_object('noticeHours', notice_hours, 'dayBeforeTime', null, 'feePercent', fee_percent));

alter table cancellation_policies
  drop constraint cancellation_policies_pkey,
  add primary key (tutor_id, starts_on),
  drop column notice_hours,
  drop column fee_percent,
  alter column starts_on drop default,
  alter column tiers drop default,
  alter column free_late_cancellations drop default,
  alter column created_at drop default;

alter table cancellation_policies force row level security;
