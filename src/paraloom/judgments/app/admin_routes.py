"""Pages of admins. Every route of these modules asks for the role itself; every change is in the audit log."""

from __future__ import annotations

from fastapi import APIRouter

from paraloom.judgments.app import (
    admin_annotator_routes,
    admin_campaign_routes,
    admin_export_routes,
    admin_guide_routes,
    admin_item_routes,
    admin_people_routes,
)

router = APIRouter(include_in_schema=False)
router.include_router(admin_campaign_routes.router)
router.include_router(admin_annotator_routes.router)
router.include_router(admin_item_routes.router)
router.include_router(admin_guide_routes.router)
router.include_router(admin_export_routes.router)
router.include_router(admin_people_routes.router)
