-- Lessons that families cancelled in the portal.

-- One act of a contact, which may have cancelled several lessons.
create table portal_cancellations (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  contact_id integer not null,
  cancelled_at timestamptz not null,
  is_illness boolean not null,
  -- An illness is erased at the end of the term.
  erase_reason_on date not null,
  primary key (tutor_id, id),
  foreign key (tutor_id, contact_id) references contacts on delete cascade
);
create index portal_cancellations_contact_idx on portal_cancellations (tutor_id, contact_id);
create index portal_cancellations_illness_idx on portal_cancellations (tutor_id, erase_reason_on) where is_illness;

-- A seat that is restored and cancelled again belongs to the last cancellation.
create table portal_cancelled_seats (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  student_id integer not null,
  cancellation_id integer not null,
  -- What the contact agreed to, in minor units.
  fee integer not null check (fee >= 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  uses_free_cancellation boolean not null,
  -- The term in which a free late cancellation is counted.
  term_start date not null,
  primary key (tutor_id, session_id, student_id),
  foreign key (tutor_id, cancellation_id) references portal_cancellations on delete cascade,
  -- A seat that was restored may get another student with its series.
  foreign key (tutor_id, session_id, student_id) references session_students on update cascade on delete cascade
);
create index portal_cancelled_seats_cancellation_idx on portal_cancelled_seats (tutor_id, cancellation_id);
create index portal_cancelled_seats_free_idx on portal_cancelled_seats (tutor_id, student_id, term_start)
  where uses_free_cancellation;

alter table portal_cancellations enable row level security;
alter table portal_cancellations force row level security;
create policy tenant_isolation on portal_cancellations using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table portal_cancelled_seats enable row level security;
alter table portal_cancelled_seats force row level security;
create policy tenant_isolation on portal_cancelled_seats using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on portal_cancellations, portal_cancelled_seats
  to lessonbook_app, lessonbook_maintenance;

-- What a contact who may cancel needs to know.
create or replace view portal_lessons with (security_barrier) as
select s.tutor_id, s.id as session_id, x.student_id, a.student_name, b.name as subject_name, s.date, s.start_time,
  s.end_time, s.starts_at, s.ends_at,
  case when x.state = 'cancelled' then 'cancelled' else s.status end as state,
  exists (
    select 1 from session_students o
    where o.tutor_id = x.tutor_id and o.session_id = x.session_id and o.student_id <> x.student_id) as is_group,
  case when a.sees_place then s.place end as place,
  -- A contact who may cancel has to know the fee.
  case when a.sees_money or a.may_cancel then coalesce(x.fee, 0) end as fee,
  case when a.sees_money or a.may_cancel then x.currency end as currency,
  s.created_at as booked_at,
  -- Whether the contact pays for the student on that date.
  exists (
    select 1 from student_payers p join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
    where p.tutor_id = x.tutor_id and p.student_id = x.student_id and f.contact_id = a.contact_id
      and p.from_date = (
        select max(q.from_date) from student_payers q
        where q.tutor_id = p.tutor_id and q.student_id = p.student_id and q.from_date <= s.date)) as is_payer
from portal_access a
join session_students x on x.tutor_id = a.tutor_id and x.student_id = a.student_id
join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
where a.sees_lessons and s.status in ('scheduled', 'cancelled', 'completed');

create view portal_policies with (security_barrier) as
select p.tutor_id, p.starts_on, p.tiers, p.free_late_cancellations, p.illness_note, p.created_at
from cancellation_policies p
where p.tutor_id = current_setting('app.tutor_id')::uuid
  and exists (select 1 from portal_access a where a.tutor_id = p.tutor_id and a.may_cancel);

create view portal_terms with (security_barrier) as
select a.tutor_id, a.student_id, t.from_date, t.to_date
from portal_access a
join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
join terms t on t.tutor_id = s.tutor_id and t.calendar_id = s.term_calendar_id
where a.may_cancel;

create view portal_free_cancellations with (security_barrier) as
select a.tutor_id, a.student_id, c.term_start, count(*)::integer as used
from portal_access a
join portal_cancelled_seats c on c.tutor_id = a.tutor_id and c.student_id = a.student_id
join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
join session_students x on x.tutor_id = c.tutor_id and x.session_id = c.session_id and x.student_id = c.student_id
where a.may_cancel and c.uses_free_cancellation and (s.status = 'cancelled' or x.state = 'cancelled')
group by a.tutor_id, a.student_id, c.term_start;

grant select on portal_policies, portal_terms, portal_free_cancellations to lessonbook_contact;
