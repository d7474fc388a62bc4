"""The schedule desk: what each schedule keeps, edited with its exact percentages in sight, and saved by two people."""

from fastapi import APIRouter

router = APIRouter(prefix="/schedules")
