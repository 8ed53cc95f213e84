"""The literature that measures and advice rest on: key → reference, as text and as BibTeX."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from .errors import RequestError

__all__ = ["LITERATURE", "Work", "bibtex", "cite", "reference", "work"]


@dataclass(frozen=True)
class Work:
    """A publication.

    Parameters
    ----------
    key : str
    authors : tuple of str
        ``'Family, Given'``, in the order of the title page.
    year : int
    title : str
    venue : str
        Journal, proceedings or publisher.
    place : str
        Where in it: ``'37(2), 155–163'``.
    doi : str
    kind : {'article', 'inproceedings', 'book', 'techreport'}
        Type of the BibTeX entry.
    suffix : str
        Tells works of the same authors and year apart.
    """

    key: str
    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    place: str = ""
    doi: str = ""
    kind: str = "article"
    suffix: str = ""

    @property
    def cite(self) -> str:
        """As in running text: 'Artstein & Poesio (2008)'."""
        families = [a.split(",")[0] for a in self.authors]
        names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
        return f"{names} ({self.year}{self.suffix})"

    @property
    def reference(self) -> str:
        """As in a list of references."""
        authors = [_initials(a) for a in self.authors]
        names = authors[0] if len(authors) == 1 else f"{', '.join(authors[:-1])} & {authors[-1]}"
        where = f"{self.venue} {self.place}" if self.kind == "article" else self._where
        link = f" https://doi.org/{self.doi}" if self.doi else ""
        title = self.title if self.title.endswith("?") else f"{self.title}."
        return f"{names} ({self.year}{self.suffix}). {title} {where.strip()}.{link}"

    @property
    def _where(self) -> str:
        venue = f"In {self.venue}" if self.kind == "inproceedings" else self.venue
        return f"{venue}, {self.place}" if self.place else venue

    @property
    def bibtex(self) -> str:
        """As a BibTeX entry."""
        volume, number, pages = _place(self.place)
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            _VENUE[self.kind]: self.venue,
            "volume": volume,
            "number": number,
            "pages": pages.replace("–", "--"),
            "year": str(self.year),
            "doi": self.doi,
        }
        lines = [f"  {name} = {{{_escaped(text)}}}," for name, text in fields.items() if text]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


_VENUE = {
    "article": "journal",
    "inproceedings": "booktitle",
    "book": "publisher",
    "techreport": "institution",
}


def work(key: str) -> Work:
    """The publication of a key.

    Raises
    ------
    RequestError
        If the bibliography does not know it.
    """
    if key not in LITERATURE:
        close = get_close_matches(key, LITERATURE, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise RequestError(f"there is no publication {key!r} in the bibliography{hint}")
    return LITERATURE[key]


def cite(key: str) -> str:
    """The publication as cited in running text.

    Examples
    --------
    >>> cite("krippendorff2011"), cite("artstein2008"), cite("byrt1993")
    ('Krippendorff (2011)', 'Artstein & Poesio (2008)', 'Byrt et al. (1993)')
    """
    return work(key).cite


def reference(key: str) -> str:
    """The publication as in a list of references.

    Examples
    --------
    >>> reference("cohen1960")[:75]
    'Cohen, J. (1960). A coefficient of agreement for nominal scales. Educationa'
    """
    return work(key).reference


def bibtex(key: str) -> str:
    """The publication as a BibTeX entry.

    Examples
    --------
    >>> print(bibtex("scott1955").splitlines()[0])
    @article{scott1955,
    """
    return work(key).bibtex


def _initials(author: str) -> str:
    family, _, given = author.partition(", ")
    return f"{family}, {' '.join(f'{name[0]}.' for name in given.split())}" if given else family


def _place(place: str) -> tuple[str, str, str]:
    """Volume, number and pages of '37(2), 155–163'; pages alone if there is no volume."""
    first, _, pages = place.partition(", ")
    if not pages:
        return "", "", place
    volume, _, number = first.partition("(")
    return volume, number.rstrip(")"), pages


def _escaped(text: str) -> str:
    return text.replace("&", r"\&").replace("κ", r"$\kappa$")


_EPM = "Educational and Psychological Measurement"
_PSYCHOLOGICAL_BULLETIN = "Psychological Bulletin"
_CL = "Computational Linguistics"
_JCE = "Journal of Clinical Epidemiology"

_WORKS = (
    Work("agresti1992", ("Agresti, Alan",), 1992,
         "Modelling patterns of agreement and disagreement",
         "Statistical Methods in Medical Research", "1(2), 201–218",
         "10.1177/096228029200100205"),
    Work("altman1991", ("Altman, Douglas G",), 1991,
         "Practical statistics for medical research", "Chapman & Hall", kind="book"),
    Work("aroyo2013", ("Aroyo, Lora", "Welty, Chris"), 2013,
         "Crowd Truth: Harnessing disagreement in crowdsourcing a relation extraction gold "
         "standard", "Proceedings of ACM Web Science 2013", kind="inproceedings"),
    Work("artstein2008", ("Artstein, Ron", "Poesio, Massimo"), 2008,
         "Inter-coder agreement for computational linguistics", _CL, "34(4), 555–596",
         "10.1162/coli.07-034-R2"),
    Work("benjamini1995", ("Benjamini, Yoav", "Hochberg, Yosef"), 1995,
         "Controlling the false discovery rate: A practical and powerful approach to multiple "
         "testing", "Journal of the Royal Statistical Society: Series B", "57(1), 289–300",
         "10.1111/j.2517-6161.1995.tb02031.x"),
    Work("benjamini2001", ("Benjamini, Yoav", "Yekutieli, Daniel"), 2001,
         "The control of the false discovery rate in multiple testing under dependency",
         "The Annals of Statistics", "29(4), 1165–1188", "10.1214/aos/1013699998"),
    Work("bennett1954", ("Bennett, E M", "Alpert, R", "Goldstein, A C"), 1954,
         "Communications through limited-response questioning",
         "Public Opinion Quarterly", "18(3), 303–308", "10.1086/266520"),
    Work("bhapkar1966", ("Bhapkar, V P",), 1966,
         "A note on the equivalence of two test criteria for hypotheses in categorical data",
         "Journal of the American Statistical Association", "61(313), 228–235",
         "10.1080/01621459.1966.10502021"),
    Work("bowker1948", ("Bowker, Albert H",), 1948, "A test for symmetry in contingency tables",
         "Journal of the American Statistical Association", "43(244), 572–574",
         "10.1080/01621459.1948.10483284"),
    Work("breiman1984",
         ("Breiman, Leo", "Friedman, Jerome H", "Olshen, Richard A", "Stone, Charles J"), 1984,
         "Classification and regression trees", "Wadsworth", kind="book"),
    Work("brennan1981", ("Brennan, Robert L", "Prediger, Dale J"), 1981,
         "Coefficient kappa: Some uses, misuses, and alternatives", _EPM, "41(3), 687–699",
         "10.1177/001316448104100307"),
    Work("brown2001", ("Brown, Lawrence D", "Cai, T Tony", "DasGupta, Anirban"), 2001,
         "Interval estimation for a binomial proportion", "Statistical Science",
         "16(2), 101–133", "10.1214/ss/1009213286"),
    Work("byrt1993", ("Byrt, Ted", "Bishop, Janet", "Carlin, John B"), 1993,
         "Bias, prevalence and kappa", _JCE, "46(5), 423–429", "10.1016/0895-4356(93)90018-V"),
    Work("calderon2025", ("Calderon, Nitay", "Reichart, Roi", "Dror, Rotem"), 2025,
         "The alternative annotator test for LLM-as-a-judge: How to statistically justify "
         "replacing human annotators with LLMs",
         "Proceedings of the 63rd Annual Meeting of the Association for Computational Linguistics "
         "(Volume 1: Long Papers)",
         "16051–16081", "10.18653/v1/2025.acl-long.782", kind="inproceedings"),
    Work("cicchetti1990", ("Cicchetti, Domenic V", "Feinstein, Alvan R"), 1990,
         "High agreement but low kappa: II. Resolving the paradoxes", _JCE, "43(6), 551–558",
         "10.1016/0895-4356(90)90159-M"),
    Work("cicchetti1994", ("Cicchetti, Domenic V",), 1994,
         "Guidelines, criteria, and rules of thumb for evaluating normed and standardized "
         "assessment instruments in psychology",
         "Psychological Assessment", "6(4), 284–290", "10.1037/1040-3590.6.4.284"),
    Work("clopper1934", ("Clopper, C J", "Pearson, E S"), 1934,
         "The use of confidence or fiducial limits illustrated in the case of the binomial",
         "Biometrika", "26(4), 404–413", "10.1093/biomet/26.4.404"),
    Work("cochran1950", ("Cochran, William G",), 1950,
         "The comparison of percentages in matched samples", "Biometrika", "37(3/4), 256–266",
         "10.1093/biomet/37.3-4.256"),
    Work("cochran1977", ("Cochran, William G",), 1977, "Sampling techniques (3rd ed.)", "Wiley",
         kind="book"),
    Work("cohen1960", ("Cohen, Jacob",), 1960,
         "A coefficient of agreement for nominal scales", _EPM, "20(1), 37–46",
         "10.1177/001316446002000104"),
    Work("cohen1968", ("Cohen, Jacob",), 1968,
         "Weighted kappa: Nominal scale agreement with provision for scaled disagreement or "
         "partial credit", _PSYCHOLOGICAL_BULLETIN, "70(4), 213–220", "10.1037/h0026256"),
    Work("conger1980", ("Conger, Anthony J",), 1980,
         "Integration and generalization of kappas for multiple raters",
         _PSYCHOLOGICAL_BULLETIN, "88(2), 322–328", "10.1037/0033-2909.88.2.322"),
    Work("crible2019", ("Crible, Ludivine", "Degand, Liesbeth"), 2019,
         "Reliability vs. granularity in discourse annotation: What is the trade-off?",
         "Corpus Linguistics and Linguistic Theory", "15(1), 71–99", "10.1515/cllt-2016-0046"),
    Work("darroch1986", ("Darroch, John N", "McCloud, Peter I"), 1986,
         "Category distinguishability and observer agreement",
         "Australian Journal of Statistics", "28(3), 371–388"),
    Work("davies1982", ("Davies, Mark", "Fleiss, Joseph L"), 1982,
         "Measuring agreement for multinomial data", "Biometrics", "38(4), 1047–1051"),
    Work("dawid1979", ("Dawid, A Philip", "Skene, Allan M"), 1979,
         "Maximum likelihood estimation of observer error-rates using the EM algorithm",
         "Journal of the Royal Statistical Society: Series C (Applied Statistics)",
         "28(1), 20–28", "10.2307/2346806"),
    Work("decarlo2011", ("DeCarlo, Lawrence T", "Kim, YoungKoung", "Johnson, Matthew S"), 2011,
         "A hierarchical rater model for constructed responses, with a signal detection rater "
         "model", "Journal of Educational Measurement", "48(3), 333–356"),
    Work("demartini2012", ("Demartini, Gianluca", "Difallah, Djellel Eddine",
         "Cudré-Mauroux, Philippe"), 2012,
         "ZenCrowd: Leveraging probabilistic reasoning and crowdsourcing techniques for "
         "large-scale entity linking",
         "Proceedings of the 21st International Conference on World Wide Web", "469–478",
         "10.1145/2187836.2187900", kind="inproceedings"),
    Work("dembczynski2012",
         ("Dembczyński, Krzysztof", "Waegeman, Willem", "Cheng, Weiwei", "Hüllermeier, Eyke"), 2012,
         "On label dependence and loss minimization in multi-label classification",
         "Machine Learning", "88(1–2), 5–45", "10.1007/s10994-012-5285-8"),
    Work("dieugenio2004", ("Di Eugenio, Barbara", "Glass, Michael"), 2004,
         "The kappa statistic: A second look", _CL, "30(1), 95–101",
         "10.1162/089120104773633402"),
    Work("dumitrache2018",
         ("Dumitrache, Anca", "Inel, Oana", "Aroyo, Lora", "Timmermans, Benjamin", "Welty, Chris"),
         2018, "CrowdTruth 2.0: Quality metrics for crowdsourcing with disagreement",
         "Proceedings of the 1st Workshop on Subjectivity, Ambiguity and Disagreement in "
         "Crowdsourcing (CEUR 2276)", kind="inproceedings"),
    Work("efron1987", ("Efron, Bradley",), 1987, "Better bootstrap confidence intervals",
         "Journal of the American Statistical Association", "82(397), 171–185",
         "10.1080/01621459.1987.10478410"),
    Work("efron1993", ("Efron, Bradley", "Tibshirani, Robert J"), 1993,
         "An introduction to the bootstrap", "Chapman & Hall", kind="book"),
    Work("fagerland2013", ("Fagerland, Morten W", "Lydersen, Stian", "Laake, Petter"), 2013,
         "The McNemar test for binary matched-pairs data: Mid-p and asymptotic are better than "
         "exact conditional", "BMC Medical Research Methodology", "13, 91",
         "10.1186/1471-2288-13-91"),
    Work("feinstein1990", ("Feinstein, Alvan R", "Cicchetti, Domenic V"), 1990,
         "High agreement but low kappa: I. The problems of two paradoxes", _JCE,
         "43(6), 543–549", "10.1016/0895-4356(90)90158-L"),
    Work("fleiss1969", ("Fleiss, Joseph L", "Cohen, Jacob", "Everitt, B S"), 1969,
         "Large sample standard errors of kappa and weighted kappa",
         _PSYCHOLOGICAL_BULLETIN, "72(5), 323–327", "10.1037/h0028106"),
    Work("fleiss1971", ("Fleiss, Joseph L",), 1971,
         "Measuring nominal scale agreement among many raters",
         _PSYCHOLOGICAL_BULLETIN, "76(5), 378–382", "10.1037/h0031619"),
    Work("fleiss1981", ("Fleiss, Joseph L",), 1981,
         "Statistical methods for rates and proportions (2nd ed.)", "Wiley", kind="book"),
    Work("gelman1996", ("Gelman, Andrew", "Meng, Xiao-Li", "Stern, Hal"), 1996,
         "Posterior predictive assessment of model fitness via realized discrepancies",
         "Statistica Sinica", "6(4), 733–760"),
    Work("gelman2013",
         ("Gelman, Andrew", "Carlin, John B", "Stern, Hal S", "Dunson, David B", "Vehtari, Aki",
          "Rubin, Donald B"), 2013, "Bayesian data analysis (3rd ed.)", "CRC Press", kind="book"),
    Work("gilbert2005", ("Gilbert, Peter B",), 2005, "A modified false discovery rate multiple-"
         "comparisons procedure for discrete data, applied to human immunodeficiency virus "
         "genetics", "Journal of the Royal Statistical Society: Series C (Applied Statistics)",
         "54(1), 143–158", "10.1111/j.1467-9876.2005.00475.x"),
    Work("gwet2008", ("Gwet, Kilem Li",), 2008,
         "Computing inter-rater reliability and its variance in the presence of high agreement",
         "British Journal of Mathematical and Statistical Psychology", "61(1), 29–48",
         "10.1348/000711006X126600"),
    Work("gwet2014", ("Gwet, Kilem Li",), 2014,
         "Handbook of inter-rater reliability (4th ed.)", "Advanced Analytics", kind="book"),
    Work("gwet2016", ("Gwet, Kilem Li",), 2016,
         "Testing the difference of correlated agreement coefficients for statistical "
         "significance", _EPM, "76(4), 609–637", "10.1177/0013164415596420"),
    Work("hanley1983", ("Hanley, James A", "Lippman-Hand, Abby"), 1983,
         "If nothing goes wrong, is everything all right? Interpreting zero numerators",
         "JAMA", "249(13), 1743–1745", "10.1001/jama.1983.03330370053031"),
    Work("hayes2007", ("Hayes, Andrew F", "Krippendorff, Klaus"), 2007,
         "Answering the call for a standard reliability measure for coding data",
         "Communication Methods and Measures", "1(1), 77–89", "10.1080/19312450709336664"),
    Work("hoeffding1951", ("Hoeffding, Wassily",), 1951, "A combinatorial central limit theorem",
         "The Annals of Mathematical Statistics", "22(4), 558–566", "10.1214/aoms/1177729545"),
    Work("hoek2017", ("Hoek, Jet", "Scholman, Merel C J"), 2017,
         "Evaluating discourse annotation: Some recent insights and new approaches",
         "Proceedings of the 13th Joint ISO-ACL Workshop on Interoperable Semantic Annotation",
         kind="inproceedings"),
    Work("hovy2013",
         ("Hovy, Dirk", "Berg-Kirkpatrick, Taylor", "Vaswani, Ashish", "Hovy, Eduard"), 2013,
         "Learning whom to trust with MACE", "Proceedings of NAACL-HLT 2013", "1120–1130",
         kind="inproceedings"),
    Work("hripcsak2002", ("Hripcsak, George", "Heitjan, Daniel F"), 2002,
         "Measuring agreement in medical informatics reliability studies",
         "Journal of Biomedical Informatics", "35(2), 99–110", "10.1016/S1532-0464(02)00500-2"),
    Work("hsueh2001", ("Hsueh, Huey-Miin", "Liu, Jen-Pei", "Chen, James J"), 2001,
         "Unconditional exact tests for equivalence or noninferiority for paired binary endpoints",
         "Biometrics", "57(2), 478–483", "10.1111/j.0006-341X.2001.00478.x"),
    Work("hubert1977", ("Hubert, Lawrence",), 1977, "Kappa revisited",
         _PSYCHOLOGICAL_BULLETIN, "84(2), 289–297", "10.1037/0033-2909.84.2.289"),
    Work("jaakkola2000", ("Jaakkola, Tommi S", "Jordan, Michael I"), 2000,
         "Bayesian parameter estimation via variational methods", "Statistics and Computing",
         "10(1), 25–37", "10.1023/A:1008932416310"),
    Work("kairam2016", ("Kairam, Sanjay", "Heer, Jeffrey"), 2016,
         "Parting crowds: Characterizing divergent interpretations in crowdsourced annotation "
         "tasks",
         "Proceedings of the 19th ACM Conference on Computer-Supported Cooperative Work & Social "
         "Computing", "1637–1648", "10.1145/2818048.2820016", kind="inproceedings"),
    Work("kim2012", ("Kim, Hyun-Chul", "Ghahramani, Zoubin"), 2012,
         "Bayesian classifier combination",
         "Proceedings of the 15th International Conference on Artificial Intelligence and "
         "Statistics", "619–627", kind="inproceedings"),
    Work("kish1965", ("Kish, Leslie",), 1965, "Survey sampling", "Wiley", kind="book"),
    Work("krippendorff1980", ("Krippendorff, Klaus",), 1980,
         "Content analysis: An introduction to its methodology", "Sage", kind="book"),
    Work("krippendorff2004", ("Krippendorff, Klaus",), 2004,
         "Content analysis: An introduction to its methodology (2nd ed.)", "Sage", kind="book",
         suffix="a"),
    Work("krippendorff2004b", ("Krippendorff, Klaus",), 2004,
         "Reliability in content analysis: Some common misconceptions and recommendations",
         "Human Communication Research", "30(3), 411–433",
         "10.1111/j.1468-2958.2004.tb00738.x", suffix="b"),
    Work("krippendorff2011", ("Krippendorff, Klaus",), 2011,
         "Computing Krippendorff's alpha-reliability",
         "University of Pennsylvania, Annenberg School for Communication", kind="techreport"),
    Work("landis1977", ("Landis, J Richard", "Koch, Gary G"), 1977,
         "The measurement of observer agreement for categorical data", "Biometrics",
         "33(1), 159–174", "10.2307/2529310"),
    Work("leik1966", ("Leik, Robert K",), 1966, "A measure of ordinal consensus",
         "Pacific Sociological Review", "9(2), 85–90", "10.2307/1388242"),
    Work("levi2022", ("Levi, Effi", "Shenhav, Shaul R"), 2022,
         "A decomposition-based approach for evaluating and analyzing inter-annotator "
         "disagreement", "arXiv preprint", kind="techreport"),
    Work("li2019", ("Li, Yuan", "Rubinstein, Benjamin I P", "Cohn, Trevor"), 2019,
         "Exploiting worker correlation for label aggregation in crowdsourcing",
         "Proceedings of the 36th International Conference on Machine Learning (PMLR 97)",
         "3886–3895", kind="inproceedings", suffix="a"),
    Work("li2019b", ("Li, Yuan", "Rubinstein, Benjamin I P", "Cohn, Trevor"), 2019,
         "Truth inference at scale: A Bayesian model for adjudicating highly redundant crowd "
         "annotations", "The World Wide Web Conference (WWW 2019)", "1028–1038",
         "10.1145/3308558.3313459", kind="inproceedings", suffix="b"),
    Work("light1971", ("Light, Richard J",), 1971,
         "Measures of response agreement for qualitative data: Some generalizations and "
         "alternatives", _PSYCHOLOGICAL_BULLETIN, "76(5), 365–377", "10.1037/h0031643"),
    Work("louis1982", ("Louis, Thomas A",), 1982,
         "Finding the observed information matrix when using the EM algorithm",
         "Journal of the Royal Statistical Society: Series B", "44(2), 226–233",
         "10.1111/j.2517-6161.1982.tb01203.x"),
    Work("marchal2022",
         ("Marchal, Marian", "Scholman, Merel", "Yung, Frances", "Demberg, Vera"), 2022,
         "Establishing annotation quality in multi-label annotations",
         "Proceedings of the 29th International Conference on Computational Linguistics",
         kind="inproceedings"),
    Work("maxwell1970", ("Maxwell, A E",), 1970,
         "Comparing the classification of subjects by two independent judges",
         "British Journal of Psychiatry", "116(535), 651–655", "10.1192/bjp.116.535.651"),
    Work("mccluskey1956", ("McCluskey, Edward J",), 1956, "Minimization of Boolean functions",
         "Bell System Technical Journal", "35(6), 1417–1444",
         "10.1002/j.1538-7305.1956.tb03835.x"),
    Work("mcnemar1947", ("McNemar, Quinn",), 1947,
         "Note on the sampling error of the difference between correlated proportions or "
         "percentages", "Psychometrika", "12(2), 153–157", "10.1007/BF02295996"),
    Work("miller1955", ("Miller, George A",), 1955, "Note on the bias of information estimates",
         "Information theory in psychology: Problems and methods", "95–100",
         kind="inproceedings"),
    Work("minka2000", ("Minka, Thomas P",), 2000, "Estimating a Dirichlet distribution",
         "Technical report, MIT", kind="techreport"),
    Work("oortwijn2021", ("Oortwijn, Yvette", "Ossenkoppele, Thijs", "Betti, Arianna"), 2021,
         "Interrater disagreement resolution: A systematic procedure to reach consensus in "
         "annotation tasks",
         "Proceedings of the Workshop on Human Evaluation of NLP Systems (HumEval)", "131–141",
         kind="inproceedings"),
    Work("passonneau2006", ("Passonneau, Rebecca",), 2006,
         "Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation",
         "Proceedings of the Fifth International Conference on Language Resources and "
         "Evaluation (LREC)", kind="inproceedings"),
    Work("passonneau2014", ("Passonneau, Rebecca J", "Carpenter, Bob"), 2014,
         "The benefits of a model of annotation",
         "Transactions of the Association for Computational Linguistics", "2, 311–326",
         "10.1162/tacl_a_00185"),
    Work("paun2018", ("Paun, Silviu", "Carpenter, Bob", "Chamberlain, Jon", "Hovy, Dirk",
         "Kruschwitz, Udo", "Poesio, Massimo"), 2018, "Comparing Bayesian models of annotation",
         "Transactions of the Association for Computational Linguistics", "6, 571–585",
         "10.1162/tacl_a_00040"),
    Work("perks1947", ("Perks, Wilfred",), 1947,
         "Some observations on inverse probability including a new indifference rule",
         "Journal of the Institute of Actuaries", "73(2), 285–334"),
    Work("quine1952", ("Quine, Willard V",), 1952, "The problem of simplifying truth functions",
         "American Mathematical Monthly", "59(8), 521–531",
         "10.1080/00029890.1952.11988183"),
    Work("randolph2005", ("Randolph, Justus J",), 2005,
         "Free-marginal multirater kappa: An alternative to Fleiss' fixed-marginal multirater "
         "kappa", "Joensuu University Learning and Instruction Symposium",
         kind="inproceedings"),
    Work("raykar2012", ("Raykar, Vikas C", "Yu, Shipeng"), 2012,
         "Eliminating spammers and ranking annotators for crowdsourced labeling tasks",
         "Journal of Machine Learning Research", "13, 491–518"),
    Work("regier2013", ("Regier, Darrel A", "Narrow, William E", "Clarke, Diana E",
         "Kraemer, Helena C", "Kuramoto, S Janet", "Kuhl, Emily A", "Kupfer, David J"), 2013,
         "DSM-5 field trials in the United States and Canada, Part II: Test-retest reliability "
         "of selected categorical diagnoses",
         "American Journal of Psychiatry", "170(1), 59–70", "10.1176/appi.ajp.2012.12070999"),
    Work("reidsma2008", ("Reidsma, Dennis", "Carletta, Jean"), 2008,
         "Reliability measurement without limits", _CL, "34(3), 319–326",
         "10.1162/coli.2008.34.3.319"),
    Work("rosenberg2004", ("Rosenberg, Andrew", "Binkowski, Ed"), 2004,
         "Augmenting the kappa statistic to determine interannotator reliability for multiply "
         "labeled data points", "Proceedings of HLT-NAACL 2004: Short Papers", "77–80",
         kind="inproceedings"),
    Work("scott1955", ("Scott, William A",), 1955,
         "Reliability of content analysis: The case of nominal scale coding",
         "Public Opinion Quarterly", "19(3), 321–325", "10.1086/266577"),
    Work("simpson2013", ("Simpson, Edwin", "Roberts, Stephen", "Psorakis, Ioannis",
         "Smith, Arfon"), 2013,
         "Dynamic Bayesian combination of multiple imperfect classifiers",
         "Decision Making and Imperfection. Springer", "1–35", "10.1007/978-3-642-36406-8_1",
         kind="inproceedings"),
    Work("snow2008", ("Snow, Rion", "O'Connor, Brendan", "Jurafsky, Daniel", "Ng, Andrew Y"), 2008,
         "Cheap and fast – but is it good? Evaluating non-expert annotations for natural language "
         "tasks", "Proceedings of EMNLP 2008", "254–263", kind="inproceedings"),
    Work("stuart1955", ("Stuart, Alan",), 1955,
         "A test for homogeneity of the marginal distributions in a two-way classification",
         "Biometrika", "42(3/4), 412–416", "10.1093/biomet/42.3-4.412"),
    Work("uebersax1982", ("Uebersax, John S",), 1982,
         "A design-independent method for measuring the reliability of psychiatric diagnosis",
         "Journal of Psychiatric Research", "17(4), 335–342"),
    Work("uma2021", (
        "Uma, Alexandra N", "Fornaciari, Tommaso", "Hovy, Dirk", "Paun, Silviu", "Plank, Barbara",
        "Poesio, Massimo"), 2021, "Learning from disagreement: A survey",
        "Journal of Artificial Intelligence Research", "72, 1385–1470", "10.1613/jair.1.12752"),
    Work("ustalov2024", ("Ustalov, Dmitry", "Pavlichenko, Nikita", "Tseitlin, Boris"), 2024,
         "Learning from crowds with Crowd-Kit", "Journal of Open Source Software", "9(96), 6227",
         "10.21105/joss.06227"),
    Work("varadhan2008", ("Varadhan, Ravi", "Roland, Christophe"), 2008,
         "Simple and globally convergent methods for accelerating the convergence of any EM "
         "algorithm", "Scandinavian Journal of Statistics", "35(2), 335–353",
         "10.1111/j.1467-9469.2007.00585.x"),
    Work("vehtari2021", ("Vehtari, Aki", "Gelman, Andrew", "Simpson, Daniel", "Carpenter, Bob",
                         "Bürkner, Paul-Christian"), 2021,
         "Rank-normalization, folding, and localization: An improved R̂ for assessing "
         "convergence of MCMC (with discussion)", "Bayesian Analysis", "16(2), 667–718",
         "10.1214/20-BA1221"),
    Work("warrens2010", ("Warrens, Matthijs J",), 2010,
         "Inequalities between multi-rater kappas",
         "Advances in Data Analysis and Classification", "4(4), 271–286",
         "10.1007/s11634-010-0073-4"),
    Work("whitehill2009",
         ("Whitehill, Jacob", "Ruvolo, Paul", "Wu, Tingfan", "Bergsma, Jacob",
          "Movellan, Javier R"), 2009,
         "Whose vote should count more: Optimal integration of labels from labelers of unknown "
         "expertise", "Advances in Neural Information Processing Systems 22", "2035–2043",
         kind="inproceedings"),
    Work("wilcoxon1945", ("Wilcoxon, Frank",), 1945, "Individual comparisons by ranking methods",
         "Biometrics Bulletin", "1(6), 80–83", "10.2307/3001968"),
    Work("wilson1927", ("Wilson, Edwin B",), 1927,
         "Probable inference, the law of succession, and statistical inference",
         "Journal of the American Statistical Association", "22(158), 209–212",
         "10.1080/01621459.1927.10502953"),
    Work("wolpert1995", ("Wolpert, David H", "Wolf, David R"), 1995,
         "Estimating functions of probability distributions from a finite set of samples",
         "Physical Review E", "52(6), 6841–6854", "10.1103/PhysRevE.52.6841"),
    Work("zhao2013", ("Zhao, Xinshu", "Liu, Jun S", "Deng, Ke"), 2013,
         "Assumptions behind intercoder reliability indices",
         "Annals of the International Communication Association", "36(1), 419–480",
         "10.1080/23808985.2013.11679142"),
)  # fmt: skip

LITERATURE: dict[str, Work] = {w.key: w for w in _WORKS}
"""Every publication by its key, in alphabetical order."""
