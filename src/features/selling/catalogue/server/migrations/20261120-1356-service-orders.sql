-- Types belong to categories more often than not: a list of one of them in another order must not read past the others.

create index service_of_category_by_type on service (category, type, id);
create index service_of_category_by_age on service (category, created_at, id);
create index service_of_category_by_status on service (category, status, id);
create index service_of_type_by_age on service (type, created_at, id);
create index service_of_type_by_status on service (type, status, id);
