-- Families no longer see the lessons that were cancelled because their student left, which a series has for a year.
create or replace view portal_lessons with (security_barrier) as
select s.tutor_id, s.id as session_id, x.student_id, a.student_name, b.name as subject_name, s.date, s.start_time,
  s.end_time, s.starts_at, s.ends_at,
  case when x.state = 'cancelled' then 'cancelled' else s.status end as state,
  exists (
    select 1 from session_students o
    where o.tutor_id = x.tutor_id and o.session_id = x.session_id and o.student_id <> x.student_id) as is_group,
  case when a.sees_place then coalesce(s.meet_link, s.place) end as place,
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
        where q.tutor_id = p.tutor_id and q.student_id = p.student_id and q.from_date <= s.date)) as is_payer,
  case when s.rescheduled_from_id is null then s.public_id else (
    with recursive chain as (
      select e.public_id, e.rescheduled_from_id from sessions e
      where e.tutor_id = s.tutor_id and e.id = s.rescheduled_from_id
      union all
      select e.public_id, e.rescheduled_from_id from chain
      join sessions e on e.tutor_id = s.tutor_id and e.id = chain.rescheduled_from_id)
    select public_id from chain where rescheduled_from_id is null) end as public_id,
  s.sequence
from portal_access a
join session_students x on x.tutor_id = a.tutor_id and x.student_id = a.student_id
join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
where a.sees_lessons and s.status in ('scheduled', 'cancelled', 'completed')
  and (x.is_billable or not exists (
    select 1 from time_off d where d.tutor_id = x.tutor_id and d.id = x.time_off_id and d.is_departure));
