// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Written by tools/math/make_hard_cases.py, of the arguments whose value in double is too near
// to a midpoint of floats to decide it: those that round to the float farther from zero.
#pragma once

#include <cstdint>

namespace anydml::math {

// clang-format off
// Of 55 arguments.
struct Exp;
constexpr bool RoundsAway(const Exp&, uint32_t x) {
  switch (x) {
    case 0x33800000: case 0x343FFFFF: case 0x34DFFFFD: case 0x356FFFF9: case 0x35F7FFF1: case 0x367BFFE1:
    case 0x36FDFFC1: case 0x377EFF81: case 0x383A3EF1: case 0x39C6BE5B: case 0x39E5BB1D: case 0x3A7BCD08:
    case 0x3CAFFE2E: case 0x40315B33: case 0x4034D02B: case 0x4178966E: case 0x41CBF87B: case 0x4283070F:
    case 0xB2FFFFFF: case 0xB3000000: case 0xBBB70EE8: case 0xBBF0EDF1: case 0xBCB8F40F: case 0xBCE017BB:
    case 0xBDB393EB: case 0xBF81EADF: case 0xC0382E72: case 0xC16912CD:
      return true;
    default: return false;
  }
}
// Of 45 arguments.
struct Expm1;
constexpr bool RoundsAway(const Expm1&, uint32_t x) {
  switch (x) {
    case 0x34000000: case 0x345DB3D7: case 0x3566C158: case 0x35C542DE: case 0x37B61385: case 0x3A254E7A:
    case 0x3B2401FD: case 0x3B643F1B: case 0x3E35BEC5: case 0x40315B33: case 0x4178966E: case 0x4283070F:
    case 0xB3800000: case 0xB3B504F3: case 0xB577DEF8: case 0xB675CBFC: case 0xBB101E67: case 0xBB64AEC5:
    case 0xBB7B3B6C: case 0xBC6CA2B1: case 0xBCD475D0: case 0xBDB4065D: case 0xC049440B:
      return true;
    default: return false;
  }
}
// Of 10 arguments.
struct Tanh;
constexpr bool RoundsAway(const Tanh&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x3AC37DE2: case 0x3C96AE2E: case 0x3CD41B91: case 0x3D7C3055: case 0x3FF8BC7E: case 0x40A6EF82:
    case 0x40ACB4D0:
      return true;
    default: return false;
  }
}
// Of 19 arguments.
struct Sigmoid;
constexpr bool RoundsAway(const Sigmoid&, uint32_t x) {
  switch (x) {
    case 0x3BFA8D50: case 0x3E8DFFAF: case 0x3EB2C9B8: case 0x407360F3: case 0xBA928601: case 0xBBAE719B:
    case 0xBD655024:
      return true;
    default: return false;
  }
}
// Of 191 arguments.
struct Log;
constexpr bool RoundsAway(const Log&, uint32_t x) {
  switch (x) {
    case 0x03B0FFA6: case 0x04366D72: case 0x07C060FA: case 0x0825E048: case 0x0B265D7B: case 0x0DC8BBA4:
    case 0x0F61FF63: case 0x10E848D7: case 0x111C87F8: case 0x12711CDC: case 0x134140D7: case 0x13B2D101:
    case 0x13FCD84A: case 0x145CB6D4: case 0x152ED9F5: case 0x155D60FC: case 0x158772EB: case 0x16B3A0B6:
    case 0x18B06F2A: case 0x199EFD2B: case 0x1A21DB87: case 0x1A3DE5E8: case 0x1A8446CB: case 0x1AAC80DC:
    case 0x1B1CDFA8: case 0x1D24A185: case 0x1DC9E7C1: case 0x1E0B6C02: case 0x1E6BC9FA: case 0x1E9977AC:
    case 0x1F116AB8: case 0x22F6D580: case 0x2423C085: case 0x246FF143: case 0x25BE734F: case 0x25F12E61:
    case 0x2758EEC4: case 0x27A51454: case 0x28E3FA26: case 0x29BD4F07: case 0x2C4C24B7: case 0x2D6F4A4E:
    case 0x2E492984: case 0x2E7A6221: case 0x3031622E: case 0x30A201DC: case 0x3509DCF6: case 0x372F2767:
    case 0x38DCBE38: case 0x39C7B1F9: case 0x39DBDDA7: case 0x39FE220C: case 0x3BF86EF0: case 0x3CA1C99F:
    case 0x4056EE45: case 0x41E3B2AF: case 0x432C2B82: case 0x434F23A8: case 0x43D5E7FA: case 0x44BC4360:
    case 0x46067543: case 0x4AABE14F: case 0x4B77325A: case 0x4BF70DB3: case 0x4C08FF78: case 0x4C5D65A5:
    case 0x4C6B191E: case 0x4CA8A9EE: case 0x4D604EBE: case 0x4FE4AB24: case 0x526A304F: case 0x540592DE:
    case 0x56210E9A: case 0x5982AF5D: case 0x5B042BA3: case 0x5B800531: case 0x5B98E163: case 0x5BE9C85F:
    case 0x5D8B2D5B: case 0x60F5C5D6: case 0x62B467BA: case 0x62DC7608: case 0x644A8B82: case 0x64BC5793:
    case 0x65D890D3: case 0x66A8C860: case 0x672C6C43: case 0x67D2390B: case 0x6BE8CF96: case 0x6D6C9D3A:
    case 0x6F31A8EC: case 0x76A32B61: case 0x77996704: case 0x77B945EB: case 0x789E5998: case 0x7C776A08:
    case 0x7D98B8F4: case 0x7DBDFE04:
      return true;
    default: return false;
  }
}
// Of 116 arguments.
struct Erf;
constexpr bool RoundsAway(const Erf&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x358E9D2D: case 0x35D2FADC: case 0x36AEA466: case 0x37EE85C4: case 0x3940EAD6: case 0x39C0057D:
    case 0x3B25A39D: case 0x3E1FCC60:
      return true;
    default: return false;
  }
}
// Of 58 arguments.
struct Gelu;
constexpr bool RoundsAway(const Gelu&, uint32_t x) {
  switch (x) {
    case 0x33F83306: case 0x34BD90BB: case 0x35A42B1D: case 0x372A66DE: case 0x38679055: case 0x395B5B3E:
    case 0x3AD07184: case 0x3C2DF329: case 0x3C419978: case 0x3C7C14B2: case 0x3CA716F5: case 0x3CBE36A9:
    case 0x3EADA244: case 0xB34AA765: case 0xB666C879: case 0xB66C4759: case 0xB6D32EA6: case 0xB7B0A46F:
    case 0xB7F5C377: case 0xB8028E89: case 0xB8CA1BE2: case 0xBA0985D4: case 0xBC70B2CE: case 0xBCD2BCD8:
    case 0xBE3B1D21: case 0xBE493CC6: case 0xBE9F431C: case 0xC13CED3A:
      return true;
    default: return false;
  }
}
// Of 45 arguments.
struct Softplus;
constexpr bool RoundsAway(const Softplus&, uint32_t x) {
  switch (x) {
    case 0x33882E31: case 0x34441718: case 0x367C4162: case 0x36EA209E: case 0x38D420AC: case 0x3926CF53:
    case 0x3976AD4F: case 0x39C4C3C9: case 0x39EA41D0: case 0x3A294D42: case 0x3AD68BA7: case 0x3AEF7621:
    case 0x3B28F131: case 0x3C450A9B: case 0x3E502107: case 0x3E6CE8AB: case 0x3EBCA722: case 0xB36FA39E:
    case 0xB36FA39F: case 0xB43BE8E8: case 0xB6ADDF56: case 0xB7A37806: case 0xBA095059: case 0xBA41ECED:
    case 0xBA92CC65: case 0xBEE22485: case 0xBF29A208:
      return true;
    default: return false;
  }
}
// Of 110 arguments.
struct Sin;
constexpr bool RoundsAway(const Sin&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x39E89768: case 0x3A1285FF: case 0x3A852018: case 0x3DCF5597: case 0x3EF32001: case 0x42D44528:
    case 0x4371ADE3: case 0x4384F128: case 0x45A8ABB3: case 0x47B6F08F: case 0x4A987933: case 0x4AA5A796:
    case 0x4CF3E70E: case 0x4DBC8385: case 0x4DF947F3: case 0x4ECD11C7: case 0x4FB56937: case 0x521945ED:
    case 0x545BB734: case 0x55A209A0: case 0x55CAFB2A: case 0x55DA572E: case 0x58DFB085: case 0x5A935F4C:
    case 0x5AF484BE: case 0x5B258DA4: case 0x5B5008A3: case 0x5D9AB86B: case 0x5DADD689: case 0x5DE78921:
    case 0x5F208D82: case 0x60C7295D: case 0x612EFF34: case 0x616D8730: case 0x6201BE80: case 0x62E31FD9:
    case 0x6446CEC0: case 0x64E5A461: case 0x6504CEF1: case 0x67A9242B: case 0x6A3F60FF: case 0x6D734599:
    case 0x6DCEA82E: case 0x6E1CDF42: case 0x6E60ECB0: case 0x6E649053: case 0x729085EF: case 0x73243F06:
    case 0x7400C9EC: case 0x742C68CE: case 0x75A6A9D0: case 0x761A2787: case 0x78F8B857: case 0x7C5D6B82:
    case 0x7D9876AE: case 0x7F2A2CA7:
      return true;
    default: return false;
  }
}
// Of 123 arguments.
struct Cos;
constexpr bool RoundsAway(const Cos&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x39800000: case 0x3A544395: case 0x3C107FE6: case 0x3CFCFBFF: case 0x3D58A0EA: case 0x3DAC4FC0:
    case 0x3EFEC12E: case 0x4010A4BF: case 0x4215BFE0: case 0x4475404C: case 0x46F85A22: case 0x474D265C:
    case 0x47D7C67E: case 0x4847462B: case 0x4986AFEE: case 0x4A01DCA4: case 0x4B511330: case 0x4C46D929:
    case 0x4D9BC85F: case 0x4DD46702: case 0x4E5B65FF: case 0x504BE581: case 0x50E46DC7: case 0x52D9D3FE:
    case 0x52F88494: case 0x53F91A52: case 0x543F6E04: case 0x569EC55C: case 0x58B939C0: case 0x58D567A5:
    case 0x58F72162: case 0x5922AA80: case 0x5956C49C: case 0x5A1A3626: case 0x5BAE7209: case 0x5BFF82FD:
    case 0x5D9615E4: case 0x6094669A: case 0x60E81EEF: case 0x6115CB11: case 0x61703976: case 0x62FE22BD:
    case 0x6328A4E2: case 0x63B37133: case 0x64639AB6: case 0x647A941F: case 0x64933B14: case 0x650247D7:
    case 0x721D0204: case 0x72CFC61D: case 0x741B2833: case 0x76D7173F: case 0x77E9FA6B: case 0x77FB4FBF:
    case 0x790C0EAE: case 0x797CEF4F: case 0x79F953B7: case 0x7A38AB34: case 0x7A4FA716: case 0x7C64841E:
    case 0x7C69AE1E: case 0x7C75F2A4: case 0x7DB91687: case 0x7DBEB31D:
      return true;
    default: return false;
  }
}
// Of 76 arguments.
struct Tan;
constexpr bool RoundsAway(const Tan&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x3D7F15C0: case 0x3E19205E: case 0x41DE6E08: case 0x453C5846: case 0x48632AA3: case 0x48652066:
    case 0x4872B9FA: case 0x49CED458: case 0x4C0A82A3: case 0x4DFECC4D: case 0x4F9F4275: case 0x4FF70099:
    case 0x505B24EC: case 0x536B7A05: case 0x53EBC27A: case 0x5586A33A: case 0x5668F95E: case 0x575852F8:
    case 0x57DDAD01: case 0x594F900C: case 0x5A848AB9: case 0x5BE68BCD: case 0x5D608C2D: case 0x5DB845EB:
    case 0x5DE62A6D: case 0x5EF23C3F: case 0x5FFD33A4: case 0x601FF374: case 0x611BC894: case 0x624684EF:
    case 0x648DDBBB: case 0x64E8E6F3: case 0x6694993E: case 0x75BB16DE: case 0x7602E9DA: case 0x77CDA26B:
    case 0x7B97B9EC: case 0x7E4F5C9C:
      return true;
    default: return false;
  }
}
// Of 10 arguments.
struct Asin;
constexpr bool RoundsAway(const Asin&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x39E89768: case 0x3D09BF86: case 0x3ECDBDA0:
      return true;
    default: return false;
  }
}
// Of 42 arguments.
struct Acos;
constexpr bool RoundsAway(const Acos&, uint32_t x) {
  switch (x) {
    case 0x328885A0: case 0x328885A1: case 0x328885A2: case 0x328885A3: case 0x341110B4: case 0x3488885A:
    case 0x34C8885A: case 0x3504442D: case 0x3524442D: case 0x3544442D: case 0x3564442D: case 0x39825222:
    case 0x39826222: case 0x3A6A490F: case 0x3A9E4C86: case 0x3B7D281B: case 0x3BF77288: case 0x3C8A2F9B:
    case 0xB3DDDE98: case 0xB46EEF4C: case 0xB4B777A6: case 0xB4F777A6: case 0xB51BBBD3: case 0xB53BBBD3:
    case 0xB55BBBD3: case 0xB57BBBD3: case 0xBA9D5F75: case 0xBE668CD1: case 0xBF006330:
      return true;
    default: return false;
  }
}
// Of 39 arguments.
struct Atan;
constexpr bool RoundsAway(const Atan&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x3A27BA3B: case 0x3AD637FA: case 0x3B06F308: case 0x3B7C1BC9: case 0x3BE8237B: case 0x3D8D6B23:
    case 0x3E242361: case 0x3EE06DB1: case 0x3F89058C: case 0x421AE6B6: case 0x4241B6F5: case 0x424DD4A2:
    case 0x4252099D: case 0x426BEF73: case 0x4630DA7D: case 0x46C99109: case 0x494A1B01: case 0x49F7BE1B:
    case 0x4C700518: case 0x4C700519: case 0x4C70051A: case 0x4C70051B: case 0x4C70051C: case 0x4C70051D:
      return true;
    default: return false;
  }
}
// Of 16 arguments.
struct Sinh;
constexpr bool RoundsAway(const Sinh&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x3B36AA1F: case 0x3B51D871: case 0x3C46F746: case 0x3D09C4D8: case 0x3E9E10E9: case 0x3F7DF258:
    case 0x411A649F: case 0x41CBF87B: case 0x4283070F:
      return true;
    default: return false;
  }
}
// Of 11 arguments.
struct Cosh;
constexpr bool RoundsAway(const Cosh&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x3A6F7750: case 0x3B43F588: case 0x3D609528: case 0x40FBFC54: case 0x41CBF87B: case 0x4283070F:
      return true;
    default: return false;
  }
}
// Of 104 arguments.
struct Asinh;
constexpr bool RoundsAway(const Asinh&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x3A5352C8: case 0x3ACD4843: case 0x3AFEA8E9: case 0x3C09D03D: case 0x3F09FFA1: case 0x42869090:
    case 0x42EB3BB2: case 0x437D6003: case 0x43B770A4: case 0x441F488D: case 0x469142E5: case 0x493B6170:
    case 0x49832D98: case 0x4AF7325A: case 0x4B770DB3: case 0x4B88FF78: case 0x4BDD65A5: case 0x4BEB191E:
    case 0x4C28A9EE: case 0x4CE04EBE: case 0x4F64AB24: case 0x51EA304F: case 0x538592DE: case 0x55A10E9A:
    case 0x5902AF5D: case 0x5A842BA3: case 0x5B000531: case 0x5B18E163: case 0x5B69C85F: case 0x5D0B2D5B:
    case 0x6075C5D6: case 0x623467BA: case 0x625C7608: case 0x63CA8B82: case 0x643C5793: case 0x655890D3:
    case 0x6628C860: case 0x66AC6C43: case 0x6752390B: case 0x6B68CF96: case 0x6CEC9D3A: case 0x6EB1A8EC:
    case 0x76232B61: case 0x77196704: case 0x773945EB: case 0x781E5998: case 0x7BF76A08: case 0x7D18B8F4:
    case 0x7D3DFE04:
      return true;
    default: return false;
  }
}
// Of 85 arguments.
struct Acosh;
constexpr bool RoundsAway(const Acosh&, uint32_t x) {
  switch (x) {
    case 0x3FBF0EF7: case 0x41B5B653: case 0x41FC3F4D: case 0x42AFB693: case 0x4510C05A: case 0x4559F1C7:
    case 0x473621F0: case 0x47C01E27: case 0x4A2BE14F: case 0x4AF7325A: case 0x4B770DB3: case 0x4B88FF78:
    case 0x4BEB191E: case 0x4C28A9EE: case 0x4CE04EBE: case 0x4F64AB24: case 0x51EA304F: case 0x538592DE:
    case 0x55A10E9A: case 0x5902AF5D: case 0x5A842BA3: case 0x5B000531: case 0x5B18E163: case 0x5B69C85F:
    case 0x5D0B2D5B: case 0x6075C5D6: case 0x623467BA: case 0x625C7608: case 0x63CA8B82: case 0x643C5793:
    case 0x655890D3: case 0x6628C860: case 0x66AC6C43: case 0x6752390B: case 0x6B68CF96: case 0x6CEC9D3A:
    case 0x6EB1A8EC: case 0x76232B61: case 0x77196704: case 0x773945EB: case 0x781E5998: case 0x7BF76A08:
    case 0x7D18B8F4: case 0x7D3DFE04:
      return true;
    default: return false;
  }
}
// Of 7 arguments.
struct Atanh;
constexpr bool RoundsAway(const Atanh&, uint32_t x) {
  switch (x & 0x7FFFFFFF) {
    case 0x39B89BA2: case 0x3A71E7A1: case 0x3DCD9576: case 0x3DDC2ECE:
      return true;
    default: return false;
  }
}
// clang-format on

}  // namespace anydml::math
