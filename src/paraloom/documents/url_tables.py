"""What is known about the web's hosts: who shortens, what is tracking, where media and posts lie. Data only."""

# ruff: noqa: SIM905 - hundreds of quoted and comma-separated hosts could not be read
from __future__ import annotations

SHORTENERS = frozenset(
    """
    t.co bit.ly bitly.com j.mp ow.ly owl.li goo.gl tinyurl.com is.gd v.gd tiny.cc buff.ly dlvr.it ift.tt fb.me lnkd.in
    trib.al nyti.ms wapo.st on.wsj.com cnn.it nbcnews.to abcn.ws cbsn.ws cbsloc.al bbc.in reut.rs apne.ws
    usat.ly bloom.bg politi.co hill.cm fxn.ws huff.to huffp.st bzfd.it n.pr lat.ms latim.es tcrn.ch wrd.cm theatln.tc
    nyer.cm slate.me slate.trib.al ti.me econ.st econ.trib.al on.ft.com ind.pn dailym.ai bos.gl es.pn yhoo.it hrld.us
    strib.mn dpo.st sfg.ly ab.co on.msnbc.com thebea.st trib.in nydn.us nyp.st mol.im rol.st engt.co zd.net cnet.co
    on.mash.to fastco.re entm.ag mck.co wp.me tmblr.co flip.it shar.es po.st a.msn.com snpy.tv zurl.co rviv.ly spr.ly
    hubs.ly hubs.li mailchi.mp eepurl.com conta.cc amzn.to a.co ebay.to etsy.me apple.co itun.es spoti.fi redd.it git.io
    aka.ms g.co cutt.ly rb.gy rebrand.ly bl.ink shorturl.at t.ly s.id u.to qr.ae tl.gd su.pr cli.gs bit.do adf.ly t.cn
    url.cn dwz.cn vk.cc clck.ru ln.is crwd.fr pca.st dld.bz paper.li sco.lt mtr.cool bddy.me smarturl.it ctt.ec ctt.ac
    bityl.co han.gl me2.do naver.me htn.to nico.ms dai.ly chn.ge gu.com
    """.split()
)
"""Hosts whose links lead elsewhere. A link there is an alias until a table of resolved links says whose."""

TRACKING_PREFIXES = (
    "utm_", "ns_", "at_", "pk_", "piwik_", "mtm_", "hsa_", "ga_", "_hs", "wt.", "wt_", "xts_", "__twitter_",
)  # fmt: skip

TRACKING = frozenset(
    """
    fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid igshid igsh mc_cid mc_eid mkt_tok vero_id
    vero_conv oly_anon_id oly_enc_id rb_clickid s_cid s_kwcid icid ncid cmpid cmp campaign_id campaignid ocid smid smtyp
    smprod smvar partner emc _r action_object_map action_type_map action_ref_map fb_action_ids fb_action_types fb_source
    fb_ref sr_share soc_src soc_trk guccounter guce_referrer guce_referrer_sig ito ref_src ref_url refsrc referrer
    referringsource referring_source source_location ftcamp ftag ftcid spm scm xtor wprss wpisrc wpmm sharetype
    share_from sharesource share_source st_source trk trkcampaign trackingid sc_cid sc_campaign sc_channel sc_content
    sc_country sc_geo sc_outcome sc_publisher sc_medium elqtrackid elqtrack recipientid nl_id newsletter_id
    inf_contact_key _openstat zanpid ranmid raneaid ransiteid awc affid aff_id amp amp_js_v amp_gsa usqp outputtype usp
    algo_pvid hootpostid sref srnd taid mbid sthash ss_email_id bsft_clkid bsft_eid bsft_uid bsft_mid bsft_aaid feedtype
    feedname _ga _gl __s __source mkevt mkcid mkrid campid toolid noredirect cxrecs_s ex_cid ss_source eminfo emci emdi
    ceid tblci intcid trk_contact trk_msg trk_sid trk_module trk_link
    """.split()
)
"""Query parameters that say how a reader came, not what the page is (names in lower case)."""

TRACKING_OF_HOST = {
    "twitter.com": frozenset("s t ref lang cxt".split()),
    "nytimes.com": frozenset(
        """
        action module pgtype region contentcollection hp clicksource ref rref hpw src searchresultposition nl regi_id
        segment_id user_id instance_id te unlocked_article_code
        """.split()
    ),
    "washingtonpost.com": frozenset("tid hpid itid".split()),
    "facebook.com": frozenset("ref refid rc __tn__ __xts__ mibextid sfnsn hc_ref type extid vh".split()),
    "instagram.com": frozenset("hl taken-by".split()),
    "linkedin.com": frozenset("trkinfo refid".split()),
    "medium.com": frozenset("source sk".split()),
    "wsj.com": frozenset("mod reflink st tesla".split()),
    "cnn.com": frozenset("iid hpt sr cid".split()),
    "bbc.co.uk": frozenset("intlink_from_url link_location ocid".split()),
    "bbc.com": frozenset("intlink_from_url link_location ocid".split()),
    "theguardian.com": frozenset("fb ref source".split()),
    "reuters.com": frozenset("il rpc".split()),
    "msn.com": frozenset("m a ocid".split()),
    "politico.com": frozenset("lo".split()),
    "nbcnews.com": frozenset("cid".split()),
    "mobilize.us": frozenset("referring_vol rname share_context share_medium".split()),
    "usatoday.com": frozenset("csp for".split()),
    "npr.org": frozenset("ft f".split()),
    "thehill.com": frozenset("rl rnd".split()),
    "reddit.com": frozenset("ref st sh context".split()),
    "amazon.com": frozenset("ref ref_ tag psc qid sr keywords".split()),
    "change.org": frozenset("recruiter recruited_by_id source_location".split()),
    "actblue.com": frozenset("refcode refcode2".split()),
}
"""What is tracking on one host and may mean something on another."""

UNWRAPPED = {
    "google.com": ("url", ("q", "url")),
    "l.facebook.com": ("l.php", ("u",)),
    "lm.facebook.com": ("l.php", ("u",)),
    "facebook.com": ("l.php", ("u",)),
    "l.instagram.com": ("", ("u",)),
    "out.reddit.com": ("", ("url",)),
    "t.umblr.com": ("redirect", ("z",)),
    "youtube.com": ("redirect", ("q",)),
    "news.google.com": ("news/url", ("url",)),
    "steamcommunity.com": ("linkfilter", ("url",)),
    "vk.com": ("away.php", ("to",)),
    "slack-redir.net": ("link", ("url",)),
    "exit.sc": ("", ("url",)),
}
"""Hosts that carry the true link in a parameter: path and names of the parameter."""

MEDIA_HOSTS = frozenset(
    """
    pbs.twimg.com video.twimg.com abs.twimg.com ton.twimg.com pic.twitter.com pic.x.com twitpic.com yfrog.com
    media.giphy.com giphy.com gph.is tenor.com media.tenor.com c.tenor.com gfycat.com i.imgur.com imgur.com
    i.redd.it v.redd.it preview.redd.it cdn.bsky.app video.bsky.app video.cdn.bsky.app files.mastodon.social instagr.am
    flic.kr staticflickr.com live.staticflickr.com vine.co
    """.split()
)
"""Hosts of photos, clips and animations: what a post shows, not what it is about."""

MEDIA_ENDINGS = tuple(
    """
    .jpg .jpeg .png .gif .webp .bmp .tif .tiff .svg .heic .avif
    .mp4 .m4v .mov .webm .avi .mkv .m3u8 .mp3 .m4a .wav .ogg
    """.split()
)
