-- How many students a group needs and can have; null is no limit. The name of a group is the lesson's title.
alter table lessons add column min_students integer, add column max_students integer;
