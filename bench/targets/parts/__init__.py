"""The parts of the targets, by subject, in the order in which they are measured."""

from parts import collectives, items, one_sided, python_tables, sessions, starts


def parts_of(runner):
    """All parts: those that compare with MPI once for each launcher."""
    subjects = [items, sessions, one_sided, collectives, starts, python_tables]
    return [part for subject in subjects for part in subject.parts(runner)]
