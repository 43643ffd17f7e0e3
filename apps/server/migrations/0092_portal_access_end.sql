-- The access to the family portal ends for a student who has left.
create or replace view portal_access with (security_barrier) as
select a.tutor_id, a.contact_id, c.name as contact_name, c.time_zone, a.student_id, s.name as student_name,
  a.sees_lessons, a.sees_place, a.sees_money, a.may_cancel, a.may_ask,
  a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false)) as sees_notes
from contact_access a
join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
join tutors t on t.tutor_id = a.tutor_id
where a.tutor_id = current_setting('app.tutor_id')::uuid
  and a.contact_id = current_setting('app.contact_id')::integer
  and (a.sees_lessons or a.sees_money
    or (a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false))))
  and c.erased_at is null and s.erased_at is null and s.archived_at is null
  -- In the tutor's time zone. The application sets the time; a release before this migration does not.
  and (s.portal_ends_on is null or s.portal_ends_on >= (
    coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now()) at time zone t.time_zone)::date)
  and (
    -- The tutor's preview.
    current_setting('app.login_id') = 'preview'
    or (
      t.portal_opened_at is not null and t.deletion_scheduled_at is null and c.suspended_at is null
      and (
        exists (
          select 1 from contact_logins l
          where l.tutor_id = a.tutor_id and l.contact_id = a.contact_id
            and l.login_id = current_setting('app.login_id') and l.revoked_at is null)
        or (
          current_setting('app.login_id') = 'feed'
          and exists (
            select 1 from contact_feeds f where f.tutor_id = a.tutor_id and f.contact_id = a.contact_id)))
    ));
