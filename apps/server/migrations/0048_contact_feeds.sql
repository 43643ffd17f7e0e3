-- A private calendar feed for a contact. Its address is a shared link with the contact as its target.
alter table shared_links
  drop constraint shared_links_kind_check,
  add constraint shared_links_kind_check check (kind in ('balance', 'invoice', 'feed', 'contact_feed')) not valid;

-- The contacts whose feed can be read.
create table contact_feeds (
  tutor_id uuid not null references tutors on delete cascade,
  contact_id integer not null,
  created_at timestamptz not null,
  primary key (tutor_id, contact_id),
  foreign key (tutor_id, contact_id) references contacts on delete cascade
);
alter table contact_feeds enable row level security;
alter table contact_feeds force row level security;
create policy tenant_isolation on contact_feeds using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on contact_feeds to lessonbook_app, lessonbook_maintenance;

create or replace function update_contact_directory() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from contact_directory where tutor_id = old.tutor_id and contact_id = old.id;
    -- The feed was created by the person with the old address, like the logins that end with it.
    if lower(new.email) is distinct from lower(old.email) or new.erased_at is not null then
      delete from contact_feeds where tutor_id = old.tutor_id and contact_id = old.id;
    end if;
  end if;
  if new.email is not null and new.erased_at is null then
    insert into contact_directory (address_hash, tutor_id, contact_id, public_id)
    values (sha256(convert_to(lower(new.email), 'UTF8')), new.tutor_id, new.id, new.public_id);
  end if;
  -- Which browsers an erased person used is personal data too.
  if new.erased_at is not null then
    delete from contact_logins where tutor_id = new.tutor_id and contact_id = new.id;
  end if;
  return null;
end
$$;

-- The feed is read without a login, so the login id 'feed' is accepted while the contact has a feed.
create or replace view portal_access with (security_barrier) as
select a.tutor_id, a.contact_id, c.name as contact_name, c.time_zone, a.student_id, s.name as student_name,
  a.sees_lessons, a.sees_place, a.sees_money, a.may_cancel, a.may_ask
from contact_access a
join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
join tutors t on t.tutor_id = a.tutor_id
where a.tutor_id = current_setting('app.tutor_id')::uuid
  and a.contact_id = current_setting('app.contact_id')::integer
  and (a.sees_lessons or a.sees_notes or a.sees_money)
  and c.erased_at is null and s.erased_at is null and s.archived_at is null
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

-- The public id of the first session of a chain of moves and the sequence are for the feed.
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
where a.sees_lessons and s.status in ('scheduled', 'cancelled', 'completed');
