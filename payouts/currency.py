"""Currencies of ISO 4217 and money as text: a string of digits, never a float."""

import re
from collections.abc import Mapping

MAX_MINOR = 2**53 - 1
"""Greatest amount in minor units that is represented anywhere."""

_TWO_DECIMALS = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP "
    "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR "
    "JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN "
    "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL "
    "THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG"
)
_NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"

DECIMALS: Mapping[str, int] = {
    **dict.fromkeys(_TWO_DECIMALS.split(), 2),
    **dict.fromkeys(_NO_DECIMALS.split(), 0),
    **dict.fromkeys(_THREE_DECIMALS.split(), 3),
}
"""Decimals of each currency's minor unit."""

_MONEY = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,3}))?", re.ASCII)


def money_minor(text: object, decimals: int) -> int | None:
    """Read a money string into minor units; None if it is no money string of a currency with these decimals.

    >>> money_minor("0.25", 2), money_minor("15", 2), money_minor("0.255", 2), money_minor("-1", 2)
    (25, 1500, None, None)
    """
    match = _MONEY.fullmatch(text) if isinstance(text, str) else None
    if match is None or len(match[2] or "") > decimals:
        return None
    minor = int(match[1] + (match[2] or "").ljust(decimals, "0"))
    return minor if minor <= MAX_MINOR else None


def money_text(minor: int, decimals: int) -> str:
    """Write minor units as a money string.

    >>> money_text(1505, 2), money_text(-5, 2), money_text(7, 0)
    ('15.05', '-0.05', '7')
    """
    sign, digits = ("-" if minor < 0 else ""), str(abs(minor)).rjust(decimals + 1, "0")
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else sign + digits
