-- The accounts that a contact may see in the family portal: their own, or, for a person who pays for no one, an account on
-- which they may see the payments for every student. So a parent never sees the account of the other household.
create view portal_accounts with (security_barrier) as
select f.tutor_id, f.id as family_id, f.contact_id = current_setting('app.contact_id')::integer as is_payer
from families f
where f.tutor_id = current_setting('app.tutor_id')::uuid
  and current_setting('app.login_id') <> 'feed'
  and exists (select 1 from portal_access a where a.sees_money)
  and (
    f.contact_id = current_setting('app.contact_id')::integer
    or (
      f.id in (
        select p.family_id from portal_access a
        join student_payers p on p.tutor_id = a.tutor_id and p.student_id = a.student_id
        where a.sees_money)
      and not exists (
        select 1 from families own
        join student_payers p on p.tutor_id = own.tutor_id and p.family_id = own.id
        where own.tutor_id = f.tutor_id and own.contact_id = current_setting('app.contact_id')::integer)
      and not exists (
        select 1 from (
          select p.student_id from student_payers p where p.tutor_id = f.tutor_id and p.family_id = f.id
          union
          select c.student_id from charges c
          where c.tutor_id = f.tutor_id and c.family_id = f.id and c.student_id is not null
        ) as s
        where not exists (
          select 1 from contact_access x
          where x.tutor_id = f.tutor_id and x.contact_id = current_setting('app.contact_id')::integer
            and x.student_id = s.student_id and x.sees_money))
    ));
grant select on portal_accounts to lessonbook_contact;
